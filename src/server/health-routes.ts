import { sql } from 'kysely'

import { getHealth } from '../contract/system.ts'
import type { Environment } from './db/environment.ts'
import { probe } from './http/binding.ts'
import { done, refuse } from './http/outcome.ts'

/** Health is answered within this, whatever the database does. */
const longestWaitMs = 100
/** A question waits behind any work on the embedded engine, on PostgreSQL only behind our own. */
const patienceMs = { embedded: 30_000, postgres: 5000 }

type Question = { asked: number; answer: Promise<boolean> }

/** One question an environment at a time, so that none queue behind a long statement. */
const underWay = new WeakMap<Environment, Question>()

/** Whether the database answers; a late answer counts as yes for `patience` ms while its process lives. */
export async function doesDatabaseAnswer(
  environment: Environment,
  patience = environment.engine ? patienceMs.embedded : patienceMs.postgres,
): Promise<boolean> {
  const isAlive = () => environment.engine === null || environment.engine.pid !== undefined
  if (!isAlive()) return false
  const question = underWay.get(environment) ?? ask(environment)
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<boolean>((resolve) => {
    timer = setTimeout(
      () => resolve(isAlive() && performance.now() - question.asked < patience),
      longestWaitMs,
    )
  })
  const answers = await Promise.race([question.answer, waited])
  clearTimeout(timer)
  return answers
}

function ask(environment: Environment): Question {
  const answer = sql`select 1`
    .execute(environment.db)
    .then(
      () => true,
      () => false,
    )
    .finally(() => underWay.delete(environment))
  const question = { asked: performance.now(), answer }
  underWay.set(environment, question)
  return question
}

export const healthRoutes = [
  probe(getHealth, async (environment, isItsHost) =>
    (await doesDatabaseAnswer(environment))
      ? done({ status: 'ok' as const, ...(isItsHost ? {} : { library: false as const }) })
      : refuse({ status: 503, message: 'La base de données ne répond pas.' }),
  ),
]
