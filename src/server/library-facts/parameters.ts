import {
  deliveredParameters,
  type FlagCode,
  type NumberCode,
  type ParameterCode,
} from '../../domain/parameters.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'

/** Values as they are written, flags as booleans, numbers in the unit of their row. */
export type Parameters = {
  get(code: ParameterCode): string
  flag(code: FlagCode): boolean
  number(code: NumberCode): number
}

export async function readParameters(db: Db | Trx): Promise<Parameters> {
  const rows = await db.selectFrom('parameters').select(['code', 'value']).execute()
  const values = new Map<string, string>(rows.map(({ code, value }) => [code, value]))
  const get = (code: ParameterCode) => values.get(code) ?? deliveredParameters[code].delivered
  return { get, flag: (code) => get(code) === '1', number: (code) => Number(get(code)) }
}

// Each call reads them and they hardly change: a moment's memory, which the process that changes them drops.
const keptFor = 2000
const kept = new WeakMap<Environment, { until: number; parameters: Promise<Parameters> }>()

export function currentParameters(environment: Environment): Promise<Parameters> {
  const found = kept.get(environment)
  if (found && found.until > performance.now()) return found.parameters
  const parameters = readParameters(environment.db)
  parameters.catch(() => kept.delete(environment))
  kept.set(environment, { until: performance.now() + keptFor, parameters })
  return parameters
}

export const forgetParameters = (environment: Environment) => kept.delete(environment)
