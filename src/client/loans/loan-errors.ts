import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import { CallError } from '../api/call-error.ts'

export function sentenceOf(error: unknown): string {
  if (!(error instanceof CallError)) return somethingFailed
  return error.reason === 'KEY_REUSED' ? arrivedBefore : error.message
}

/** Asked for, left without an answer, then asked for otherwise: the first one had arrived. */
const arrivedBefore =
  'La demande précédente était arrivée\u202f: fermez et regardez où en est le prêt avant d’en faire une autre.'
