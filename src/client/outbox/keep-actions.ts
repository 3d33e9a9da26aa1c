import {
  actionToLend,
  actionToReturn,
  actionToVerify,
  type LendGesture,
  type ReturnGesture,
  type VerifyGesture,
} from '../../offline/counter-actions.ts'
import { StoreOutdatedError } from '../../offline/device-store.ts'
import type { Entry, NewAction } from '../../offline/entry.ts'
import { OutboxWriteError, recordAction } from '../../offline/outbox.ts'
import { CallError } from '../api/call-error.ts'
import { currentConnection } from '../api/connection.ts'
import { currentActor, NoActorError } from '../api/current-actor.ts'
import { noteEntry } from './outbox-entries.ts'

const notWrittenSentence =
  'Réessayez. L’action n’est pas enregistrée\u202f: cet appareil n’a pas pu l’écrire.'
const noAnswerSentence = 'Le serveur n’a pas répondu. Réessayez.'

/** The sentence for the person; `otherwise` when the error tells nothing. */
export function whyNotKept(error: unknown, otherwise = notWrittenSentence): string {
  if (error instanceof CallError) {
    return error.isUnanswered ? noAnswerSentence : error.message
  }
  return error instanceof OutboxWriteError ||
    error instanceof NoActorError ||
    error instanceof StoreOutdatedError
    ? error.message
    : otherwise
}

export type Lend = Omit<LendGesture, 'toldOffline'> & {
  resolves?: string | null
}

export type GiveBack = ReturnGesture & {
  beneficiary_name?: string
}

type CounterActions = {
  /** Answers once the action is on the disk; see `whyNotKept` for what it throws. */
  lend(gesture: Lend): Promise<Entry>
  lendToVerify(gesture: VerifyGesture & Pick<Lend, 'resolves'>): Promise<Entry>
  giveBack(gesture: GiveBack): Promise<Entry>
}

/** Through the outbox, online or not. */
export const counterActions: CounterActions = {
  lend: ({ resolves = null, ...gesture }) =>
    keep({ ...actionToLend({ ...gesture, toldOffline: currentConnection() === 'offline' }), resolves }),
  lendToVerify: ({ resolves = null, ...gesture }) => keep({ ...actionToVerify(gesture), resolves }),
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
