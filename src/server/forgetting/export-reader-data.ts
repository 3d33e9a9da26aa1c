import type { getReaderData as getReaderDataCall } from '../../contract/beneficiary-changes.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { drawReaderData } from './draw-reader-data.ts'
import { type ReaderData, readReaderData } from './reader-data.ts'

/** What the library holds of one reader, for a program or on paper; who asked for it is written down. */
export async function exportReaderData(
  reads: ReadInTurn,
  { params: { id }, query }: VerbInput<typeof getReaderDataCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { environment, now, parameters } = exchange
  const data = await readReaderData(reads, id, exchange)
  if (!data) return notFound('Ce lecteur n’existe pas.')
  await environment.db
    .transaction()
    .execute((trx) =>
      journal(trx, exchange, { action: 'beneficiaries.data', entity: 'beneficiaries', entity_id: id }),
    )
  const type = query.export_type
  const name = fileName(`donnees-${id}`, type, now, parameters.get('timezone'))
  const bytes = type === 'json' ? asJson(data, exchange) : drawReaderData(data, exchange)
  return done({ name, type, bytes })
}

async function* asJson(data: ReaderData, { now, parameters, sight }: Exchange): AsyncIterable<Uint8Array> {
  const parts = Object.entries(data).filter(([, part]) => part !== null)
  const whole = {
    format: 'comptoir-personal-data-1',
    library: parameters.get('work_council'),
    made_at: now.toISOString(),
    ...Object.fromEntries(parts),
    /** Parts that whoever made this file may not see. */
    left_out: Object.keys(data).filter((part) => data[part as keyof ReaderData] === null),
    ...(sight.returnsSince === null ? {} : { loans_returned_since: sight.returnsSince }),
  }
  yield await Promise.resolve(Buffer.from(`${JSON.stringify(whole, null, 2)}\n`))
}
