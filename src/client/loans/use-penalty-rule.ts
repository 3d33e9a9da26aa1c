import { useMemo } from 'react'

import type { PenaltyRule } from '../../domain/loan-rules.ts'
import { useFlagParameter, useNumberParameter } from '../settings/parameter-data.ts'

/** The library's parameters; those delivered until they are known. */
export function usePenaltyRule(): PenaltyRule {
  const grace_days = useNumberParameter('delay_days_number_before_penalize') ?? 0
  const open_days_only = useFlagParameter('penalty_open_days_only') ?? false
  return useMemo(() => ({ grace_days, open_days_only }), [grace_days, open_days_only])
}
