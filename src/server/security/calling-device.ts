import type { PublicExchange } from '../http/exchange.ts'
import type { Caller } from '../sight/caller.ts'

/** The device of a call: its session's, or what a call that comes before any session says of itself. */
export const callingDevice = (
  { claimed_device }: Pick<PublicExchange, 'claimed_device'>,
  caller: Caller | null,
): string | null => caller?.device_id ?? (caller ? null : (claimed_device?.device_id ?? null))
