import { sql } from 'kysely'

import { getHealth } from '../contract/system.ts'
import type { Environment } from './db/environment.ts'
import { probe } from './http/binding.ts'
import { done, refuse } from './http/outcome.ts'

/** Whoever watches the server is answered within this, whatever the database is busy with. */
const longestWaitMs = 100
/**
 * How long a database that lives may leave a question unanswered. On the embedded engine the question stands in line behind whatever
 * runs; on PostgreSQL only behind this process's own statements, when they hold every connection.
 */
const patienceMs = { embedded: 30_000, postgres: 5000 }

type Question = { asked: number; answer: Promise<boolean> }

/** The question under way in each environment: never two, so that they do not queue up behind a long statement. */
const underWay = new WeakMap<Environment, Question>()

/**
 * Whether the database answers, told within a tenth of a second. When the answer is not there by then: true as long as the embedded
 * engine's process lives and the question is younger than `patience` milliseconds. A refused or broken connection is false at once.
 */
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
  probe(getHealth, async (environment) =>
    (await doesDatabaseAnswer(environment))
      ? done({ status: 'ok' as const })
      : refuse({ status: 503, message: 'La base de données ne répond pas.' }),
  ),
]
