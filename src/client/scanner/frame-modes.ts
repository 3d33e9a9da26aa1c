/** `crop` and `sharp` read the middle, `full` and `photo` everything, any way round. */
export type DecodeMode = 'crop' | 'full' | 'sharp' | 'photo'

/** In turn, because one way may read what another misses. */
export const frameModes = ['crop', 'full', 'crop', 'sharp'] as const satisfies DecodeMode[]
