import type { exportWeeding as exportWeedingCall } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { councilPages } from './council-pages.ts'
import { everyWeeded, type WeededLine } from './weeded-lines.ts'
import { findWeeding } from './weeding-facts.ts'

/** The cart, or what was withdrawn: pages for the council, or a table. */
export async function exportWeeding(
  reads: ReadInTurn,
  { query }: VerbInput<typeof exportWeedingCall>,
  { parameters, now, today, visibility }: Exchange,
): Promise<Outcome<ServedFile>> {
  const { weeding, reason = null, number = '', decided_on = null, export_type: type } = query
  const past = weeding === undefined ? null : await reads((db) => findWeeding(db, weeding, visibility))
  if (weeding !== undefined && !past) return notFound('Ce désherbage n’existe pas.')
  const site = parameters.flag('multisite') ? await reads((db) => sitesInWords(db, visibility)) : ''
  const library = [parameters.get('work_council'), site].filter(Boolean).join(' · ')
  const day = past?.withdrawn_on ?? today
  const rows = everyWeeded(reads, { weeding: past?.id ?? null, reason }, visibility)
  return done({
    name: fileName('desherbage', type, now, parameters.get('timezone')),
    type,
    bytes:
      type === 'pdf'
        ? councilPages({ library, day, isDone: past !== null, number, decided_on }, rows)
        : tableFile(
            { title: 'Désherbage', about: `${library}, le ${frenchDay(day)}`, columns, rows },
            type,
            await houseWording(reads),
          ),
  })
}

/** On paper, nothing else says whose books these are. */
async function sitesInWords(db: Db, { listed }: Visibility): Promise<string> {
  if (listed === null) return 'Tous les sites'
  const sites = await db
    .selectFrom('sites')
    .select('name')
    .where('id', 'in', listed)
    .orderBy('name')
    .execute()
  return sites.map(({ name }) => name).join(', ')
}

const columns: FileColumn<WeededLine>[] = [
  { title: 'N°', width: 6, kind: 'count', value: ({ number }) => number },
  { title: 'Auteur', width: 24, kind: 'text', value: ({ author }) => author },
  { title: 'Titre', width: 40, kind: 'text', value: ({ name }) => name },
  { title: 'Code-barres', width: 16, kind: 'text', value: ({ bar_code }) => bar_code },
  { title: 'Cote', width: 14, kind: 'text', value: ({ call_number }) => call_number },
  { title: 'Catégorie', width: 18, kind: 'text', value: ({ category }) => category?.name ?? null },
  { title: 'Support', width: 14, kind: 'text', value: ({ medium }) => medium?.name ?? null },
  { title: 'Site', width: 18, kind: 'text', value: ({ site_name }) => site_name },
  { title: 'Emplacement', width: 18, kind: 'text', value: ({ location_label }) => location_label },
  { title: 'État', width: 14, kind: 'text', value: ({ state_name }) => state_name },
  { title: 'Acquis le', width: 12, kind: 'day', value: ({ buy_date }) => buy_date },
  { title: 'Prêts', width: 8, kind: 'count', value: ({ loans }) => loans },
  { title: 'Dernier prêt', width: 12, kind: 'day', value: ({ last_loan }) => last_loan },
  { title: 'Constat', width: 30, kind: 'text', value: ({ why }) => why },
  { title: 'Destination', width: 18, kind: 'text', value: ({ destination }) => destination },
  { title: 'Valeur', width: 10, kind: 'money', value: ({ price }) => (isKnown(price) ? price : null) },
]

/** A price of nothing is one that nobody wrote. */
export const isKnown = (price: string): boolean => Number(price) > 0
