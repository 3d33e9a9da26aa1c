import { sql } from 'kysely'

import { listLabelled as listLabelledCall } from '../../contract/label-list.ts'
import * as call from '../../contract/labels.ts'
import type { markPrinted as markPrintedCall, wantLabels as wantLabelsCall } from '../../contract/labels.ts'
import type { Trx } from '../db/handles.ts'
import { change, file, keepingFile, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { visibleCopies, type Visibility } from '../visibility/visibility.ts'
import { listLabelled } from './label-queries.ts'
import { countLabels, printCalibration, printLabels } from './print-labels.ts'

/** Takes copies out of the basket; those of other sites, or not in it, are left alone. */
async function markPrinted(
  trx: Trx,
  { body }: VerbInput<typeof markPrintedCall>,
  exchange: Exchange,
): Promise<Outcome<{ copies: number[] }>> {
  const { rows } = await sql<{ id: number }>`
    delete from label_basket w using copies c
    where c.id = w.copy and c.id = any(${body.copies}::int[]) and ${openCopies(exchange)}
    returning c.id`.execute(trx)
  return journalLabels(trx, exchange, 'bar_codes.printed', rows)
}

async function wantLabels(
  trx: Trx,
  { body }: VerbInput<typeof wantLabelsCall>,
  exchange: Exchange,
): Promise<Outcome<{ copies: number[] }>> {
  const { rows } = await sql<{ id: number }>`
    insert into label_basket (copy, wanted_at)
    select c.id, ${exchange.now.toISOString()} from copies c
    where c.id = any(${body.copies}::int[]) and c.deleted_at is null and ${openCopies(exchange)}
    on conflict do nothing returning copy as id`.execute(trx)
  return journalLabels(trx, exchange, 'bar_codes.want', rows)
}

/** Of every site open to the person, whichever is chosen. */
const openCopies = ({ visibility }: { visibility: Visibility }) =>
  visibleCopies({ ...visibility, listed: visibility.open })

async function journalLabels(
  trx: Trx,
  exchange: Exchange,
  action: string,
  rows: readonly { id: number }[],
): Promise<Outcome<{ copies: number[] }>> {
  const copies = rows.map(({ id }) => id)
  if (copies.length > 0) {
    await journal(trx, exchange, {
      action,
      entity: 'bar_codes',
      entity_id: null,
      before: null,
      after: { copies },
    })
  }
  return done({ copies })
}

export const labelRoutes = [
  read(listLabelledCall, async (db, { list }, { visibility, parameters }) =>
    done(await listLabelled(db, list, { visibility, timezone: parameters.get('timezone') })),
  ),
  longRead(call.countLabels, countLabels),
  keepingFile(call.printLabels, printLabels),
  file(call.printCalibration, printCalibration),
  change(call.markPrinted, markPrinted),
  change(call.wantLabels, wantLabels),
]
