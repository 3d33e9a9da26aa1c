import type { Entry } from '../../offline/entry.ts'
import { setAside, withdrawQueued } from '../../offline/outbox-decisions.ts'
import { readEntry } from '../outbox/outbox-entries.ts'
import type { Undone } from '../loans/undo-loan.ts'
import {
  barCodeOf,
  isCard,
  isSameReader,
  type LaneLine,
  type LendChoice,
  type Step,
  type Way,
} from './lane.ts'
import { waysOf } from './lane-offer.ts'
import { lend, returnLine } from './lane-acts.ts'
import { again, continueWith, lendOn } from './lane-scans.ts'
import { changeLine, findLine, isReturning, laneState, setChosen, setStep } from './lane-store.ts'
import { type LaneTools, tell, workOnce } from './lane-turn.ts'

// A person's acts on a line wait for their turn behind the scans.

export type WayTools = {
  username: string
  /** Undoes a loan's last lend or return on the server, and reads it again. */
  undo: (undone: Undone) => Promise<void>
}

/** Takes a way out of a line; `reason` is the motive of an override. */
export function takeWay(key: string, way: Way, { username }: WayTools, reason?: string): Promise<void> {
  const pressed = findLine(key)
  if (way === 'return' && pressed && isReturning(barCodeOf(pressed))) return Promise.resolve()
  return workOnce(key, way, async (line, tools) => {
    const entry = line.step.name === 'kept' ? await readEntry(line.step.entry_id) : null
    // Its offer may be over when its turn comes.
    if (!waysOf(line, entry, tools.may).includes(way)) return
    const choice = choiceOf(line.step, entry)
    switch (way) {
      case 'again':
      // Asked for once the copy is there.
      case 'add-copy':
        return again(line, tools)
      case 'is-card':
        return again(line, tools, 'beneficiary')
      case 'is-copy':
        return again(line, tools, 'copy')
      case 'continue':
        return continueWith(line, tools)
      case 'return':
        await returnLine(line, tools)
        break
      case 'lend':
        if (line.step.name === 'kept' && line.step.act === 'return') return lendOn(line, line.step, tools)
        await lendAgain(line, tools, choice)
        break
      case 'override':
        await lendAgain(line, tools, {
          ...choice,
          ...(reason === undefined ? {} : { override_reason: reason }),
        })
        break
      case 'despite-reservations':
        await lendAgain(line, tools, { ...choice, despite_reservations: true })
        break
      case 'conditions':
      case 'no-conditions':
        await lendAgain(line, tools, { ...choice, conditions_given: way === 'conditions' })
        break
      // The screen sees to them.
      case 'open-form':
      case 'export':
        return
    }
    // Only a kept action settles the refused one, in this person's name.
    const step = findLine(key)?.step
    const before = choice.resolves
    if (before !== undefined && step?.name === 'kept' && step.entry_id !== before) {
      await setAside(before, username, reason ?? reasonOf[way])
    }
  })
}

type Act = Exclude<Way, 'again' | 'continue' | 'open-form' | 'export' | 'add-copy' | 'is-card' | 'is-copy'>

const reasonOf: Record<Act, string> = {
  return: 'Rendu au comptoir',
  lend: 'Prêté de nouveau au comptoir',
  override: 'Prêté quand même',
  'despite-reservations': 'Prêté malgré la réservation',
  conditions: 'Prêté de nouveau au comptoir',
  'no-conditions': 'Prêté de nouveau au comptoir',
}

/** What was granted so far, and the refused action that the next one settles. */
function choiceOf(step: Step, entry: Entry | null): LendChoice {
  if (step.name === 'asks') return step.choice
  return step.name === 'kept' ? { ...step.choice, resolves: entry?.id ?? step.entry_id } : {}
}

async function lendAgain(line: LaneLine, tools: LaneTools, choice: LendChoice): Promise<void> {
  const { step, copy } = line
  const to = step.name === 'asks' || step.name === 'kept' ? step.to : null
  if (!copy || !to) return
  // The button's name settles a proposed choice.
  if (isSameReader(to, laneState().proposed)) setChosen(to)
  changeLine(line.key, { at: Date.now() })
  if (copy.known && !isCard(to)) await lend(line.key, copy.known, to, tools, choice)
  else await (await import('./lane-verify.ts')).lendToVerify(line.key, copy, to, tools)
}

/** Annuler drops an unsent action from the outbox, or asks the server to undo it. */
export const takeBack = (key: string, { username, undo }: WayTools): Promise<void> =>
  workOnce(key, 'take-back', async (line, tools) => {
    if (line.step.name !== 'kept') {
      setStep(key, { name: 'taken-back', was: 'Retiré' })
      return
    }
    const { act, entry_id } = line.step
    const entry = await readEntry(entry_id)
    const trouble = entry ? await undoEntry(entry, act, username, undo) : null
    if (trouble !== null) {
      changeLine(key, { trouble })
      tell('refusal', trouble, tools)
      return
    }
    const title = line.copy?.title ?? line.code
    const was = act === 'lend' ? 'Prêt annulé' : 'Retour annulé'
    setStep(key, { name: 'taken-back', was })
    tell('warning', was, tools, title)
  })

/** Null when it was undone, else why not. */
async function undoEntry(
  entry: Entry,
  act: Undone['expects'],
  username: string,
  undo: WayTools['undo'],
): Promise<string | null> {
  if (entry.state === 'set_aside') return null
  if (entry.state === 'conflict' || entry.state === 'quarantined') {
    return (await setAside(entry.id, username, 'Annulé au comptoir')) ? null : changedSentence
  }
  if (entry.state !== 'done') {
    return (await withdrawQueued(entry.id, username)) ? null : sentSentence
  }
  const receipt = entry.receipt as { id?: unknown } | null
  if (receipt === null) return untoldSentence
  if (typeof receipt.id !== 'number') return changedSentence
  try {
    await undo({ id: receipt.id, expects: act, of: entry.id })
    return null
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : changedSentence
  }
}

const changedSentence = 'Cette action vient de changer d’état. Réessayez.'
const untoldSentence =
  'Cette action est déjà enregistrée, et cet appareil ne sait pas sous quel prêt\u202f: corrigez-la depuis la liste des prêts.'
const sentSentence =
  'Cette action est peut-être déjà arrivée au serveur, ou une autre en dépend\u202f: réessayez quand le réseau sera revenu.'
