import { type FlagCode, type NumberCode, type ParameterCode, parameterRows } from '../../domain/parameters.ts'
import type { Environment } from './environment.ts'
import type { Db, Trx } from './handles.ts'

/** The environment's parameters by code: each as it is written, flags as yes or no, numbers in the unit of their row. */
export type Parameters = {
  get(code: ParameterCode): string
  flag(code: FlagCode): boolean
  number(code: NumberCode): number
}

export async function readParameters(db: Db | Trx): Promise<Parameters> {
  const rows = await db.selectFrom('parameters').select(['code', 'value']).execute()
  const values = new Map<string, string>(rows.map(({ code, value }) => [code, value]))
  const get = (code: ParameterCode) => values.get(code) ?? parameterRows[code].delivered
  return { get, flag: (code) => get(code) === '1', number: (code) => Number(get(code)) }
}

// Read on every call and changed once a month: kept for a moment, dropped by the process that changes them.
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
