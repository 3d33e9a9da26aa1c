import type { PublicExchange } from '../http/exchange.ts'
import type { Caller } from '../visibility/caller.ts'

/** The session's device, or before any session what the call says of itself. */
export const callingDevice = (
  { claimed_device }: Pick<PublicExchange, 'claimed_device'>,
  caller: Caller | null,
): string | null => caller?.device_id ?? (caller ? null : (claimed_device?.device_id ?? null))
