import { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import * as call from '../../contract/start.ts'
import type {
  dismissStart as dismissStartCall,
  markStep as markStepCall,
  StartState,
} from '../../contract/start.ts'
import type { Trx } from '../db/handles.ts'
import { change, changeAfter, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { addSample, planSample } from './add-sample.ts'
import { layPreset } from './lay-preset.ts'
import { lockStart, readStart } from './read-start.ts'
import { removeSample } from './remove-sample.ts'

async function markStep(
  trx: Trx,
  { body: { step, state } }: VerbInput<typeof markStepCall>,
  exchange: Exchange,
): Promise<Outcome<StartState>> {
  await lockStart(trx)
  const { steps_done, steps_later } = await trx
    .selectFrom('start_progress')
    .select(['steps_done', 'steps_later'])
    .executeTakeFirstOrThrow()
  const before = { steps_done, steps_later }
  const others = (steps: readonly string[]) => steps.filter((one) => one !== step)
  const after = {
    steps_done: state === 'done' ? [...others(steps_done), step] : others(steps_done),
    steps_later: state === 'later' ? [...others(steps_later), step] : others(steps_later),
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await trx.updateTable('start_progress').set(after).execute()
    await journal(trx, exchange, {
      action: 'start.mark_step',
      entity: 'start',
      entity_id: null,
      before,
      after,
    })
  }
  return done(await readStart(trx))
}

async function dismissStart(
  trx: Trx,
  { body: { dismissed } }: VerbInput<typeof dismissStartCall>,
  exchange: Exchange,
): Promise<Outcome<StartState>> {
  await lockStart(trx)
  const before = await readStart(trx)
  const dismissed_at = dismissed ? exchange.now.toISOString() : null
  await trx.updateTable('start_progress').set({ dismissed_at }).execute()
  const after = await readStart(trx)
  if (before.dismissed !== after.dismissed) {
    await journal(trx, exchange, {
      action: 'start.dismiss',
      entity: 'start',
      entity_id: null,
      before: { dismissed: before.dismissed },
      after: { dismissed: after.dismissed },
    })
  }
  return done(after)
}

export const startRoutes = [
  read(call.getStart, async (db) => done(await readStart(db))),
  change(call.markStep, markStep),
  change(layPresetCall, layPreset),
  change(call.dismissStart, dismissStart),
  // The demonstration's catalogue is read from its file before the transaction.
  changeAfter(call.addSample, planSample, addSample),
  change(call.removeSample, removeSample),
]
