import { useCallbackRef } from '@mantine/hooks'

import { beginAct } from '../../contract/acts.ts'
import type { Copy } from '../../contract/catalogue.ts'
import { changeCopy, removeCopy } from '../../contract/copies.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { copyStates } from '../../domain/loan-rules.ts'
import { copyUpdated } from '../../domain/sentences/catalogue.ts'
import { CallError } from '../api/call-error.ts'
import { useChange, useEachChange } from '../api/queries.ts'
import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import { say } from '../page/messages.ts'
import type { UnderWay } from '../ui/lists/bulk-bar.tsx'
import { counted } from '../ui/words.ts'

/** How many failures are told one by one; more are told together, each reason once. */
const mostTold = 3

/** The same change of several copies, or their withdrawal, one call each; what fails is named. */
export function useCopiesAtOnce() {
  const changing = useEachChange(changeCopy)
  const removing = useEachChange(removeCopy)
  const moving = useEachChange(changeCopy)
  const beginning = useChange(beginAct)
  /** What is done to one copy is no act. */
  const begin = async (copies: readonly Copy[], kind: BodyOf<typeof beginAct>['kind'], name: string) =>
    copies.length > 1 ? (await beginning.mutateAsync({ body: { kind, name } })).id : undefined
  const change = async (copies: readonly Copy[], body: BodyOf<typeof changeCopy>) => {
    const act = await begin(copies, 'copies.change', `${howMany(copies)}\u202f: ${wordsOf(body)}`)
    const results = await changing.changeEach(copies.map(({ id }) => ({ params: { id }, body, act })))
    const [only] = copies.length === 1 ? copies : []
    const told = (count: number) => {
      if (only) say(copyUpdated, 'good', { about: only.bar_code })
      else say(`${counted(count, 'exemplaire mis à jour', 'exemplaires mis à jour')}.`)
    }
    sayResults(copies, results, told)
  }
  const withdraw = async (copies: readonly Copy[], reason: string) => {
    const act = await begin(copies, 'copies.remove', `${howMany(copies)} du fonds\u202f: retrait`)
    const results = await removing.changeEach(
      copies.map(({ id }) => ({ params: { id }, query: { reason }, act })),
    )
    const [only] = copies.length === 1 ? copies : []
    const told = (count: number) => {
      if (only) say('Exemplaire retiré du fonds.', 'good', { about: only.bar_code })
      else say(`${counted(count, 'exemplaire retiré', 'exemplaires retirés')} du fonds.`)
    }
    sayResults(copies, results, told)
  }
  /** Each is a transfer of its own, which may be taken back by itself. */
  const move = async <Of extends Movable>(
    copies: readonly Of[],
    bodyOf: (copy: Of) => MovedBody,
    words: MovedWords,
  ) => {
    const results = await moving.changeEach(
      copies.map((copy) => ({ params: { id: copy.id }, body: bodyOf(copy) })),
    )
    const [only] = copies.length === 1 ? copies : []
    sayResults(copies, results, (count) => {
      if (only) say(`${words.one}.`, 'good', { about: only.bar_code })
      else say(`${counted(count, ...words.several)}.`)
    })
  }
  const send = useCallbackRef((copies: readonly Movable[], site: number) =>
    move(copies, () => ({ site }), sentWords),
  )
  const sendEach = useCallbackRef((copies: readonly (Movable & { to: number })[]) =>
    move(copies, ({ to }) => ({ site: to }), sentWords),
  )
  const receive = useCallbackRef((copies: readonly Copy[]) =>
    move(copies, () => ({ status: 'Disponible' }), receivedWords),
  )
  const takeBack = useCallbackRef((copies: readonly Copy[]) =>
    move(copies, ({ sent_from }) => ({ site: sent_from?.id ?? 0 }), takenBackWords),
  )
  return {
    change,
    withdraw,
    send,
    /** Each to a site of its own. */
    sendEach,
    receive,
    takeBack,
    underWay:
      underWayOf('Modification des exemplaires', changing) ??
      underWayOf('Retrait des exemplaires', removing) ??
      underWayOf('Transfert des exemplaires', moving),
  }
}

type MovedBody = Pick<BodyOf<typeof changeCopy>, 'site' | 'status'>
type Movable = Pick<Copy, 'id' | 'bar_code'>
type MovedWords = { one: string; several: [one: string, many: string] }

const sentWords: MovedWords = {
  one: 'Exemplaire en transfert',
  several: ['exemplaire en transfert', 'exemplaires en transfert'],
}
const receivedWords: MovedWords = {
  one: 'Exemplaire reçu',
  several: ['exemplaire reçu', 'exemplaires reçus'],
}
const takenBackWords: MovedWords = {
  one: 'Transfert repris',
  several: ['transfert repris', 'transferts repris'],
}

const howMany = (copies: readonly Copy[]) => counted(copies.length, 'exemplaire', 'exemplaires')

/** What is changed, as the name of the act. */
const wordsOf = ({ state, status, location }: BodyOf<typeof changeCopy>): string =>
  state ? copyStates[state] : (status ?? (location === null ? 'aucun emplacement' : 'nouvel emplacement'))

const underWayOf = (
  title: string,
  { progress, stop }: Pick<ReturnType<typeof useEachChange>, 'progress' | 'stop'>,
): UnderWay | null => (progress && progress.total > 1 ? { title, progress, stop } : null)

function sayResults(
  copies: readonly Pick<Copy, 'bar_code'>[],
  results: readonly PromiseSettledResult<unknown>[],
  told: (count: number) => void,
): void {
  const failed = results.flatMap((result, at) =>
    result.status === 'rejected' ? [{ copy: copies[at], error: result.reason as unknown }] : [],
  )
  const done = results.length - failed.length
  const left = copies.length - results.length
  if (done > 0) told(done)
  if (left > 0) say(`Arrêté\u202f: ${counted(left, 'exemplaire', 'exemplaires')} sans changement.`, 'warn')
  if (failed.length > mostTold) {
    const reasons = new Set(failed.map(({ error }) => sentenceOf(error)))
    const count = counted(failed.length, 'exemplaire n’a pas changé', 'exemplaires n’ont pas changé')
    return void say(`${count}\u202f: ${[...reasons].join(' ')}`, 'bad')
  }
  for (const { copy, error } of failed) say(`${copy?.bar_code ?? ''}\u202f: ${sentenceOf(error)}`, 'bad')
}

const sentenceOf = (error: unknown) => (error instanceof CallError ? error.message : somethingFailed)
