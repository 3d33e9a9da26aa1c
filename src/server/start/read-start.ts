import { sql } from 'kysely'

import type { StartState } from '../../contract/start.ts'
import { deliveredParameters } from '../../domain/parameters.ts'
import {
  firstSiteName,
  type StartStep,
  startSteps,
  type StartTask,
  startTasks,
  tasksOfStep,
} from '../../domain/start-steps.ts'
import type { Db, Trx } from '../db/handles.ts'

type Facts = Record<StartTask, boolean> & {
  steps_done: string[]
  steps_later: string[]
  preset: StartState['preset']
  is_dismissed: boolean
  references: number
  copies: number
  readers: number
  reader_id: string | null
  bar_codes: string[]
}

const ofSample = (entity: string, id: string) =>
  sql`exists (select from start_sample sa where sa.entity = ${entity} and sa.entity_id = ${sql.raw(id)})`
const counted = (entity: string) => sql`(select count(*)::integer from start_sample where entity = ${entity})`
const organisation = deliveredParameters.work_council.delivered

/** What was done is read from what there is, so that the guided start and the settings are one way. */
export async function readStart(db: Db | Trx): Promise<StartState> {
  const { rows } = await sql<Facts>`
    select p.steps_done, p.steps_later, p.preset,
      p.dismissed_at is not null or (select demonstration from environment) as is_dismissed,
      exists (select from parameters where code = 'work_council' and value <> ${organisation}) as organisation,
      exists (select from sites where deleted_at is null and name <> ${firstSiteName}) as site,
      exists (select from media m where m.deleted_at is null and not ${ofSample('media', 'm.id')}) as media,
      exists (select from categories c where c.deleted_at is null
        and not ${ofSample('categories', 'c.id')}) as categories,
      exists (select from sites where deleted_at is null
        and (bar_codes_configuration ->> 'siteCode' <> '' or last_reference is not null)) as numbering,
      (select count(*) > 1 from users where deleted_at is null and enabled) as users,
      exists (select from "references" r where r.deleted_at is null
        and not ${ofSample('references', 'r.id')}) as reference,
      exists (select from beneficiaries b where b.deleted_at is null
        and not ${ofSample('beneficiaries', 'b.id')}) as reader,
      exists (select from loanings l where l.deleted_at is null and l.status <> 'cancelled'
        and not ${ofSample('beneficiaries', 'l.beneficiary')} and not ${ofSample('copies', 'l.copy')}) as loan,
      exists (select from forgetting_agreements) as forgetting,
      ${counted('references')} as references, ${counted('copies')} as copies,
      ${counted('beneficiaries')} as readers,
      (select b.reader_id from start_sample sa join beneficiaries b on b.id = sa.entity_id
        where sa.entity = 'beneficiaries' order by b.id limit 1) as reader_id,
      array(select c.bar_code from start_sample sa join copies c on c.id = sa.entity_id
        where sa.entity = 'copies' and c.status = 'Disponible' and c.deleted_at is null
        order by c.id limit 3) as bar_codes
    from start_progress p`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('the progress of the start has no row')
  const { references, copies, readers, reader_id, bar_codes } = facts
  const said = (task: StartTask): boolean =>
    startSteps.some((step) => tasksOfStep[step].includes(task) && facts.steps_done.includes(step))
  // Whoever goes on alone has added nobody.
  const isDone = (task: StartTask) => facts[task] || (task !== 'users' && said(task))
  const stateOf = (step: StartStep) =>
    tasksOfStep[step].every(isDone) ? 'done' : facts.steps_later.includes(step) ? 'later' : 'left'
  return {
    '@type': 'Start',
    dismissed: facts.is_dismissed,
    steps: Object.fromEntries(startSteps.map((step) => [step, stateOf(step)])) as StartState['steps'],
    tasks: Object.fromEntries(startTasks.map((task) => [task, isDone(task)])) as StartState['tasks'],
    sample: references + readers === 0 ? null : { references, copies, readers, reader_id, bar_codes },
    preset: facts.preset,
  }
}

/** Whoever lays something down holds it until the end, so that the same comes twice at once only once. */
export const lockStart = (trx: Trx) => sql`select from start_progress for update`.execute(trx)
