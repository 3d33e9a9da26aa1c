import { equipmentPool } from './equipment-pool.ts'
import { mediaLibrary } from './media-library.ts'
import type { Preset } from './preset.ts'
import { toyLibrary } from './toy-library.ts'
import { worksCouncil } from './works-council.ts'

/** In the order in which they are offered. */
export const presets = {
  mediatheque: mediaLibrary,
  ludotheque: toyLibrary,
  parc: equipmentPool,
  comite: worksCouncil,
} as const satisfies Record<string, Preset>

export type PresetCode = keyof typeof presets
/** The only parameters that a preset changes. */
export const presetParameterCodes = [
  ...new Set(Object.values<Preset>(presets).flatMap(({ parameters }) => parameters.map(({ code }) => code))),
]
export const presetCodes = Object.keys(presets) as PresetCode[]
