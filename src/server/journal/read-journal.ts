import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { readJournal as readJournalCall } from '../../contract/journal.ts'
import { wordsOfJournal } from '../../domain/journal-words.ts'
import type { Db } from '../db/handles.ts'
import { accountName } from '../db/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { changesInWords } from './changes-in-words.ts'
import { type Facts, journalledRecords } from './journalled-records.ts'

type Line = {
  id: number
  at: string
  action: string
  entity: string
  before: Facts
  after: Facts
  who: string | null
  on_behalf_of: string | null
  device: string | null
}

/** What was changed of a record in sight, the latest first, without what the caller may not see. */
export async function readJournal(
  db: Db,
  { list, query }: Pick<VerbInput<typeof readJournalCall>, 'list' | 'query'>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof readJournalCall>>> {
  const { entity, id } = query
  const { rights } = exchange.caller
  const words = wordsOfJournal(entity)
  const record = journalledRecords[entity]
  if (!words.changedBy.some((right) => rights.has(right))) return forbidden()
  if (!(await record.isInSight(db, id, exchange))) return notFound(record.missing)
  const where = record.lines(id, exchange)
  const { rows } = await sql<Line>`
    select j.id, j.at, j.action, j.entity, j.before, j.after,
      case when u.id is not null then ${accountName('u')} end as who,
      case when o.id is not null then ${accountName('o')} end as on_behalf_of,
      coalesce(nullif(d.name, ''), nullif(d.browser, '')) as device
    from audit_journal j
    left join users u on u.id = j.user_id
    left join users o on o.id = j.on_behalf_of
    left join devices d on d.device_id = j.device_id
    where ${where} order by j.id desc limit ${list.limit} offset ${(list.page - 1) * list.limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from audit_journal j where ${where}`.execute(db)
  const names = (await record.names?.(db)) ?? new Map<string, string>()
  const hidden = (await record.hidden?.(db, id, exchange)) ?? []
  const fields = Object.fromEntries(Object.entries(words.fields).filter(([key]) => !hidden.includes(key)))
  const members = rows.map(({ action, entity: of, before, after, ...line }) => {
    const named = words.actions[action] ?? (action === 'acts.undo' ? 'Annulation' : 'Modification')
    const part = record.parts?.[of]?.(after ?? before) ?? ''
    return {
      ...line,
      action: part === '' ? named : `${named}\u202f: ${part}`,
      changes: changesInWords(fields, { before, after, rights, names }),
    }
  })
  return done({ 'hydra:member': members, 'hydra:totalItems': counted.rows[0]?.total ?? 0 })
}
