import type { BodyOf } from '../contract/endpoint.ts'
import { settleConflict } from '../contract/conflicts.ts'
import { choiceOf, type SettleChoice } from '../domain/settle-choices.ts'
import { correctedTime } from './device-clock.ts'
import { readMeta } from './device-meta.ts'
import { type Actor, type Entry, unsent } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange } from './outbox-store.ts'
import { answersBefore, refusedActionOf, rootOf, seenLoanOf } from './refused-action.ts'
import { dropped, followInstead } from './replace-entry.ts'
import { transactSealing } from './seal.ts'

type SettleBody = BodyOf<typeof settleConflict>

/** What the person chose, with what the choice asks (see domain/settle-choices.ts). `happened_at` is an ISO instant. */
export type Settling = { choice: SettleChoice; motive?: string; bar_code?: string; happened_at?: string }

/**
 * Settles a conflict by a person's choice: the refused action leaves the queue with that decision, and the choice takes its place as an
 * action of its own, with its own key, sent with the token of whoever chose. What followed from the refused loan follows the one that
 * the choice makes. Answers the new action; null when the entry is no conflict any more.
 */
export async function settleEntry(
  refused: string,
  settling: Settling,
  actor: Actor,
  now = new Date(),
): Promise<Entry | null> {
  const settled = await transactSealing(async (tx, { seal, newKey }) => {
    const old = await findEntry(tx, refused)
    const action = old?.state === 'conflict' ? refusedActionOf(old) : null
    if (!old || !action) return null
    const clock_offset = (await readMeta(tx.objectStore('meta'), 'clock'))?.offset ?? null
    const { choice } = settling
    const { effect, label } = choiceOf(choice)
    const resolves = rootOf(old)
    // Chosen once more, a choice replaces what it said before; what is only noted carries nothing out.
    const earlier = effect === 'note' ? [] : answersBefore(old).filter((before) => before.choice !== choice)
    const body = {
      ...settling,
      resolves,
      action,
      reason: old.problem?.reason ?? null,
      seen_loaning: seenLoanOf(old),
      ...(old.id === resolves ? {} : { refused: old.id }),
      ...(earlier.length > 0 ? { earlier } : {}),
    } satisfies SettleBody
    const occurred_at = correctedTime(now, clock_offset).toISOString()
    const id = newKey()
    const fresh: Omit<Entry, 'seq'> = seal({
      ...actor,
      id,
      v: 1,
      site: old.site,
      environment_id: old.environment_id,
      endpoint: settleConflict.name,
      params: {},
      body,
      frozen_body: JSON.stringify({ ...body, occurred_at, device_id: actor.device_id }),
      copy_id: old.copy_id,
      bar_code: settling.bar_code ?? old.bar_code,
      beneficiary_id: old.beneficiary_id,
      depends_on: null,
      label: { ...old.label, kind: effect, choice },
      device_seq: old.device_seq,
      place: old.place ?? old.seq,
      resolves: old.id,
      ...inTheNameOf(old, actor),
      occurred_at: now.toISOString(),
      clock_offset,
      ...unsent,
    })
    const motive = settling.motive ? `${label} (${settling.motive})` : label
    await tx
      .objectStore('outbox')
      .put(dropped(old, { username: actor.username, reason: motive, at: now.toISOString() }))
    // The store gives `seq`.
    const entry: Entry = { ...fresh, seq: await tx.objectStore('outbox').add(fresh as Entry) }
    if (effect === 'lend') await followInstead(tx, old.id, entry.id, seal)
    return (await rearrange(tx)).find((one) => one.id === entry.id) ?? entry
  })
  if (settled) tellOutbox({ ids: [refused, settled.id], to_send: true })
  return settled
}

/** Who acts by the choice. Of what was taken over, both names stay: the journal says whose action it was. */
const inTheNameOf = (
  { user_id, username, adopted_by }: Entry,
  actor: Actor,
): Pick<Entry, 'user_id' | 'username' | 'adopted_by'> =>
  adopted_by?.user_id === actor.user_id
    ? { user_id, username, adopted_by }
    : { user_id: actor.user_id, username: actor.username, adopted_by: null }
