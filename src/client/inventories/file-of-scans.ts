import type { Download } from '../../contract/files.ts'
import type { StoredScan } from '../../offline/inventory-rows.ts'
import { frenchInstant } from '../ui/words.ts'
import type { CountView } from './count.ts'
import { verdictWords } from './inventory-words.ts'

type Of = { loaded: Pick<CountView['loaded'], 'name' | 'shelves'> }

const columns: readonly [string, (scan: StoredScan, of: Of) => string | null][] = [
  ['Code-barres', ({ bar_code }) => bar_code],
  ['Titre', ({ name }) => name],
  ['Résultat', ({ verdict, taken_back }) => (taken_back ? 'Annulé' : verdictWords[verdict].word)],
  ['Scanné le', ({ scanned_at }) => frenchInstant(scanned_at)],
  [
    'Emplacement',
    ({ location }, { loaded }) => loaded.shelves.find(({ id }) => id === location)?.label ?? null,
  ],
  ['Écrit dessus', ({ note }) => note],
  ['Scanné par', ({ username }) => username],
  ['Refus', ({ problem }) => problem?.message ?? null],
  ['Numéro du scan', ({ key }) => key],
]

/** A table that any spreadsheet opens. */
export function fileOfScans(of: Of, scans: readonly StoredScan[]): Download {
  const cell = (value: string | null) => `"${(value ?? '').replaceAll('"', '""')}"`
  const lines = scans.map((scan) => columns.map(([, valueOf]) => cell(valueOf(scan, of))).join(';'))
  return {
    name: `inventaire-${of.loaded.name.replace(/[^\p{L}\p{N}]+/gu, '-')}-scans.csv`,
    content: new Blob(['\ufeff', [columns.map(([title]) => title).join(';'), ...lines].join('\r\n')], {
      type: 'text/csv',
    }),
  }
}
