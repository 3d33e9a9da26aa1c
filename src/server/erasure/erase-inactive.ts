import * as v from 'valibot'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { eraseInactive as eraseInactiveCall } from '../../contract/personal-data.ts'
import { mayErase } from '../../domain/erasing.ts'
import type { Trx } from '../db/handles.ts'
import { endAct, openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, type Outcome } from '../http/outcome.ts'
import { startJob, type Step } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { measureCuts } from './cut-loans.ts'
import { eraseReaders } from './erase-readers.ts'
import { lockInactive } from './inactive-readers.ts'

/** Asks for readers who were proposed to be erased, as one act; a job does it, some readers at a time. */
export async function eraseInactive(
  trx: Trx,
  { body }: VerbInput<typeof eraseInactiveCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof eraseInactiveCall>>> {
  if (!mayErase(exchange.caller.rights)) return forbidden()
  const readers = await lockInactive(trx, [...new Set(body.beneficiaries)], exchange)
  const count = readers.length
  if (count === 0) {
    return conflict(
      'CHANGED_SINCE',
      'Aucun de ces lecteurs n’est plus à effacer\u202f: ils sont revenus, ont réservé ou ont été effacés depuis.',
    )
  }
  const name = count === 1 ? 'Effacement d’un lecteur' : `Effacement de ${count} lecteurs`
  const { act } = await openAct(trx, exchange, { kind: 'readers.erase', name, isLasting: true })
  await startJob(trx, exchange, { kind: 'readers.erase', input: { act, readers }, total: count })
  return done({ act, count })
}

const asked = v.object({ act: v.number(), readers: v.array(v.number()) })

/** Whoever borrowed, reserved or left sight meanwhile is left as they are. */
export const eraseStep: Step = async (trx, { input, cursor }, { exchange }) => {
  const { act, readers } = v.parse(asked, input)
  const { caller, today, parameters } = exchange
  if (!caller.rights.has('PARAMETER_GENERAL') || !mayErase(caller.rights)) {
    await endAct(trx, act, exchange)
    return { problem: 'Votre compte n’a plus le droit d’effacer des lecteurs.' }
  }
  const most = rowsAStep(exchange)
  const some = readers.filter((id) => id > cursor).slice(0, most)
  const ready = await lockInactive(trx, some, exchange)
  await eraseReaders(trx, ready, { ...exchange, act, today, timezone: parameters.get('timezone') })
  const last = some.at(-1) ?? cursor
  const isLast = !readers.some((id) => id > last)
  if (isLast) {
    await endAct(trx, act, exchange)
    await measureCuts(trx)
  }
  return { cursor: last, did: some.length, isLast }
}
