import type { BodyOf } from '../contract/endpoint.ts'
import { settleConflict } from '../contract/conflicts.ts'
import type { SettleChoice } from '../domain/settle-choice-codes.ts'
import { choiceOf } from '../domain/settle-choices.ts'
import { cardWords } from './counter-actions.ts'
import { correctedTime } from './device-clock.ts'
import { readMeta } from './device-meta.ts'
import { type ActionLabel, type Actor, type Entry, unsent } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange } from './outbox-store.ts'
import { answersBefore, refusedActionOf, rootOf, seenLoanOf } from './refused-action.ts'
import { dropped, followInstead } from './replace-entry.ts'
import { transactSealing } from './seal.ts'

type SettleBody = BodyOf<typeof settleConflict>

/** What each choice requires: domain/settle-choices.ts. `happened_at` is an ISO instant. */
export type Settling = {
  choice: SettleChoice
  motive?: string
  bar_code?: string
  beneficiary_code?: string
  happened_at?: string
}

/** The choice replaces the refused action, in the chooser's name; null when it is no conflict. */
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
    // The same choice made again replaces its former answer; a note carries nothing out.
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
      label: { ...old.label, ...newReader(settling), kind: effect, choice },
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

const newReader = ({ beneficiary_code }: Settling): Partial<ActionLabel> =>
  beneficiary_code === undefined ? {} : { beneficiary: cardWords(beneficiary_code) }

/** An action that was taken over keeps both names for the journal. */
const inTheNameOf = (
  { user_id, username, adopted_by }: Entry,
  actor: Actor,
): Pick<Entry, 'user_id' | 'username' | 'adopted_by'> =>
  adopted_by?.user_id === actor.user_id
    ? { user_id, username, adopted_by }
    : { user_id: actor.user_id, username: actor.username, adopted_by: null }
