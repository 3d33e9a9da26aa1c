/**
 * `crop`: the aimed-at middle only, cheaply. `full`: the whole frame, any way round. `sharp`: the middle again, its blur
 * taken away. `photo`: a picture that stays, any way round: as it is, then sharpened.
 */
export type DecodeMode = 'crop' | 'full' | 'sharp' | 'photo'

/** How a running camera's frames are looked at, in turn: what one way misses, the next frame may give another. */
export const frameModes = ['crop', 'full', 'crop', 'sharp'] as const satisfies DecodeMode[]
