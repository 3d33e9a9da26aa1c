import { emitter } from '../../domain/emitter.ts'

/** Somebody uses the device without touching it: the camera read a code. */
export const { tell: tellGesture, watch: watchGestures } = emitter()
