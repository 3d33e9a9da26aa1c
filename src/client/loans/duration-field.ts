import { longestDuration } from '../../domain/loan-rules.ts'

/** What every field of a duration accepts. */
export const durationField = { from: 1, to: longestDuration, required: true }
