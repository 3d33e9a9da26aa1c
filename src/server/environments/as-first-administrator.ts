import * as v from 'valibot'

import { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import { type PresetCode, presets } from '../../domain/presets/presets.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import type { Environment } from '../db/environment.ts'
import type { Trx } from '../db/handles.ts'
import { readParameters } from '../db/parameters.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { updateParameters } from '../settings/update-parameter.ts'
import { layPreset } from '../start/lay-preset.ts'
import { sendInvitation } from '../users/send-invitation.ts'

/** The command works as the first administrator, who may do all that it asks for. */
export async function exchangeOfFirst(
  trx: Trx,
  environment: Environment,
  publicUrl: string,
): Promise<Exchange> {
  const parameters = await readParameters(trx)
  const { id } = await trx.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const asked = { user_id: id, site: null, device_id: null }
  const exchange = await exchangeOfJob(trx, asked, { environment, parameters, now: new Date() })
  if (!exchange) throw new BackupRefusedError('Le premier compte de cette bibliothèque est désactivé.')
  return { ...exchange, publicUrl }
}

export async function nameLibrary(trx: Trx, exchange: Exchange, name: string): Promise<void> {
  requireDone(
    await updateParameters(
      trx,
      { body: [{ code: 'work_council', value: name }], params: undefined, query: undefined },
      exchange,
    ),
  )
}

export async function layChosen(trx: Trx, code: PresetCode, exchange: Exchange): Promise<void> {
  const { title: _title, about: _about, profiles, ...rest } = presets[code]
  const body = v.parse(layPresetCall.body, {
    preset: code,
    ...rest,
    profiles: profiles.map(({ name, rights }) => ({ name, rights })),
  })
  requireDone(await layPreset(trx, { body, params: undefined, query: undefined }, exchange))
}

export async function invite(trx: Trx, email: string, exchange: Exchange): Promise<void> {
  const user = await trx
    .updateTable('users')
    .set({ email, password_chosen: false })
    .where('id', '=', exchange.caller.user_id)
    .returning(['id', 'username', 'firstname', 'lastname'])
    .executeTakeFirstOrThrow()
  const refused = await sendInvitation(trx, { ...user, email }, exchange)
  if (refused) requireDone(refused)
}

/** A verb's refusal ends the command with its sentence. */
function requireDone(outcome: Outcome<unknown>): void {
  if (!outcome.ok)
    throw new BackupRefusedError(outcome.refusal.violations?.[0]?.message ?? outcome.refusal.message)
}
