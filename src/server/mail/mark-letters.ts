import { sql } from 'kysely'

import { markLettersPrinted as call } from '../../contract/letters.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { visibleLetters } from '../visibility/visibility.ts'

/** Only a person knows that the paper came out: the day of the reminder is that of the letter. */
export async function markLettersPrinted(
  trx: Trx,
  { body: { letters } }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<{ letters: number[] }>> {
  const { caller, now, today, visibility } = exchange
  if (!caller.rights.has('SEND_MAIL')) return forbidden()
  const { rows } = await sql<{ id: number; beneficiary: number; printed_at: string | null }>`
    select t.id, t.beneficiary, t.printed_at from letters t join beneficiaries b on b.id = t.beneficiary
    where t.id = any(${letters}::int[]) and ${visibleLetters(visibility)} order by t.id for update of t`.execute(
    trx,
  )
  if (rows.length < new Set(letters).size) return notFound('Une de ces lettres n’existe pas.')
  const fresh = rows.filter(({ printed_at }) => printed_at === null)
  const ids = fresh.map(({ id }) => id)
  if (ids.length === 0) return done({ letters: [] })
  await trx
    .updateTable('letters')
    .set({ printed_at: now.toISOString(), printed_by: caller.user_id })
    .where('id', 'in', ids)
    .execute()
  await sql`
    update loanings l set reminded_on = ${today}::date from loan_reminders r
    where r.letter = any(${ids}::int[]) and l.id = r.loaning and l.status = 'in_progress'`.execute(trx)
  await journalEach(
    trx,
    exchange,
    fresh.map(({ id, beneficiary }) => ({
      action: call.name,
      entity: 'letters',
      entity_id: id,
      after: { beneficiary },
    })),
  )
  return done({ letters: ids })
}
