import * as returns from '../../contract/returns.ts'
import { isRefused } from '../../offline/entry.ts'
import { dropEntry, withdrawQueued } from '../../offline/outbox-decisions.ts'
import { call } from '../api/call.ts'
import { gestureKeys } from '../api/gesture-keys.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { refreshAnew } from '../outbox/counter-work.ts'
import { readEntry } from '../outbox/outbox-entries.ts'
import type { Answers, AskOf } from './lane-happenings.ts'

/** `of` is the undone action's key, because a loan may be lent and returned several times. */
type Undone = { id: number; expects: 'lend' | 'return'; of: string }

const once = gestureKeys()

/** Takes back a loan's last lend or return on the server. Throws `CallError`. */
async function undoLoan({ id, expects, of }: Undone): Promise<void> {
  try {
    await once(of, (key) => call(returns.undoLoan, { params: { id }, body: { expects }, key }))
  } finally {
    void refreshChanged('loanings')
  }
}

/** Drops an unsent action from the outbox, or asks the server to undo it; answers why it could not. */
export async function undo({ id, act }: AskOf<'undo'>, username: string): Promise<Answers['undo']> {
  const entry = await readEntry(id)
  if (entry === null || entry.state === 'set_aside') return null
  if (isRefused(entry))
    return (await dropEntry(entry.id, username, 'Annulé au comptoir')) ? null : changedSentence
  if (entry.state !== 'done') return (await withdrawQueued(entry.id, username)) ? null : sentSentence
  const receipt = entry.receipt as { id?: unknown } | null
  if (receipt === null) return untoldSentence
  if (typeof receipt.id !== 'number') return changedSentence
  try {
    await undoLoan({ id: receipt.id, expects: act, of: entry.id })
    // The next scan must find the copy as it is again.
    await refreshAnew()
    return null
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : changedSentence
  }
}

const changedSentence = 'Cette action vient de changer d’état. Réessayez.'
const untoldSentence =
  'Corrigez cette action depuis la liste des prêts. Elle est déjà enregistrée, et cet appareil ne sait pas sous quel prêt.'
const sentSentence =
  'Réessayez quand le réseau sera revenu. Cette action est peut-être déjà arrivée au serveur, ou une autre en dépend.'
