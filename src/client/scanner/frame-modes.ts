/** `crop` and `sharp` read the middle, `full` everything in quarter turns, `tilted` and `photo` at any angle. */
export type DecodeMode = 'crop' | 'full' | 'sharp' | 'tilted' | 'photo'

/** In turn, because one way may read what another misses. */
export const frameModes = ['crop', 'full', 'tilted', 'sharp'] as const satisfies DecodeMode[]
