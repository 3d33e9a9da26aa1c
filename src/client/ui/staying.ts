import { emitter } from '../../domain/emitter.ts'

/** Somebody stays for what they have not saved. */
export const { tell: tellStaying, watch: watchStaying } = emitter()
