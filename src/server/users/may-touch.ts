import type { Right } from '../../domain/rights.ts'
import type { Caller } from '../visibility/caller.ts'

/** Whether the caller holds these rights, or gives rights to others (PARAMETER_LAW): else they would rise by them. */
export const mayTouch = ({ rights: held }: Pick<Caller, 'rights'>, rights: readonly Right[]): boolean =>
  held.has('PARAMETER_LAW') || rights.every((right) => held.has(right))
