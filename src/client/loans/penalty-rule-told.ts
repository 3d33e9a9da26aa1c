import type { QueryClient } from '@tanstack/react-query'

import type { PenaltyRule } from '../../domain/loan-rules.ts'
import {
  deviceParametersQuery,
  parametersQuery,
  useAreParametersAsked,
  useNumberParameter,
} from '../settings/parameter-data.ts'
import { usePenaltyRule } from './use-penalty-rule.ts'

/** Null while the parameters are asked; those delivered where nobody can tell. */
export function usePenaltyRuleTold(): PenaltyRule | null {
  const rule = usePenaltyRule()
  const isKnown = useNumberParameter('delay_days_number_before_penalize') !== undefined
  return useAreParametersAsked() || isKnown ? rule : null
}

/** The same, once the server or the device has told. */
export async function penaltyRuleTold(client: QueryClient): Promise<PenaltyRule> {
  const ofServer = client.ensureQueryData(parametersQuery)
  const ofDevice = client.ensureQueryData(deviceParametersQuery).then((kept) => {
    if (Object.keys(kept).length === 0) throw new Error('Not told yet')
  })
  await Promise.any([ofServer, ofDevice]).catch(() => undefined)
  const told = client.getQueryData(parametersQuery.queryKey)?.['hydra:member']
  const kept: Partial<Record<string, string>> = client.getQueryData(deviceParametersQuery.queryKey) ?? {}
  const written = (code: string) => told?.find((one) => one.code === code)?.value ?? kept[code]
  return {
    grace_days: Number(written('delay_days_number_before_penalize') ?? 0),
    open_days_only: written('penalty_open_days_only') === '1',
  }
}
