import {
  actionToLend,
  actionToReturn,
  type LendGesture,
  type ReturnGesture,
} from '../../offline/counter-actions.ts'
import { StoreOutdatedError } from '../../offline/device-store.ts'
import type { Entry, NewAction } from '../../offline/entry.ts'
import { OutboxWriteError, recordAction } from '../../offline/outbox.ts'
import { CallError } from '../api/call-error.ts'
import { currentConnection } from '../api/connection.ts'
import { currentActor, NoActorError } from '../api/current-actor.ts'
import { noteEntry } from './outbox-entries.ts'

const notWrittenSentence =
  'L’action n’est pas enregistrée\u202f: cet appareil n’a pas pu l’écrire. Réessayez.'
const noAnswerSentence = 'Le serveur n’a pas répondu. Réessayez.'

/** Why something asked of the counter was not done, as a sentence for the person; `otherwise` where nothing tells. */
export function whyNotKept(error: unknown, otherwise = notWrittenSentence): string {
  if (error instanceof CallError) {
    return error.isNoNetwork || error.status >= 500 ? noAnswerSentence : error.message
  }
  return error instanceof OutboxWriteError ||
    error instanceof NoActorError ||
    error instanceof StoreOutdatedError
    ? error.message
    : otherwise
}

export type Lend = Omit<LendGesture, 'toldOffline'> & {
  /** Key of a refused action that this one replaces. */
  resolves?: string | null
}

export type GiveBack = ReturnGesture & {
  /** Who had it, in words, where the person's record is not at hand. */
  beneficiary_name?: string
}

export type CounterActions = {
  /** Lends; answers once the action is durably on the device. Throws what `whyNotKept` words. */
  lend(gesture: Lend): Promise<Entry>
  /** Takes back; the same promises. */
  giveBack(gesture: GiveBack): Promise<Entry>
}

/**
 * Lending and returning, on line as off: written to the outbox first, sent by the drain that watches it. The line of the action
 * follows its entry (`useEntry`); what is shown is fetched again when answers come (`startCounterWork`).
 */
export const counterActions: CounterActions = {
  lend: ({ resolves, ...gesture }) =>
    keep({
      ...actionToLend({ ...gesture, toldOffline: currentConnection() === 'offline' }),
      resolves: resolves ?? null,
    }),
  giveBack: ({ beneficiary_name, ...gesture }) => {
    const action = actionToReturn(gesture)
    const beneficiary = action.label.beneficiary ?? beneficiary_name ?? null
    return keep({ ...action, label: { ...action.label, beneficiary } })
  },
}

async function keep(action: NewAction): Promise<Entry> {
  const entry = await recordAction(action, await currentActor())
  noteEntry(entry)
  return entry
}
