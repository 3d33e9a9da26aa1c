import { deviceId } from '../../offline/device-meta.ts'
import type { Actor } from '../../offline/entry.ts'
import { currentSession as rememberedSession } from '../../offline/session-mirror.ts'
import { mirrorSettled } from './mirror-session.ts'
import { currentSession } from './session.ts'

/** Without a signed-in person the action would have no owner, so it is not kept. */
export class NoActorError extends Error {
  override name = 'NoActorError'
  constructor() {
    super(
      'Reconnectez-vous, puis recommencez. L’action n’est pas enregistrée\u202f: votre session est terminée.',
    )
  }
}

/** Throws `NoActorError`. */
export async function currentActor(): Promise<Actor> {
  // The session's key may still be on its way after sign-in; without it the action must be confirmed later.
  await mirrorSettled()
  const remembered = await rememberedSession()
  if (!remembered) throw new NoActorError()
  const { environment_id, user_id, username, site } = remembered
  return {
    environment_id,
    user_id,
    username,
    site: currentSession()?.site?.id ?? site,
    device_id: await deviceId(),
  }
}
