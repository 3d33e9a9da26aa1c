import { longestDuration } from '../../domain/loan-rules.ts'

/** What every field of a duration accepts. */
export const durationField = {
  min: 1,
  max: longestDuration,
  allowDecimal: false,
  allowNegative: false,
  required: true,
}
