import type { CoverSize } from '../../contract/reference-images.ts'

/** Of the longer side in pixels: 40 points of a line, and 260 of a page, on screens that draw three for one. */
export const coverSides: Record<CoverSize, number> = { small: 120, large: 800 }

/** Where the images of references lie within the environment's files, each under its reference and its version. */
export const coverFile = (reference_id: number, version: string) => ({
  directory: 'covers',
  name: `${reference_id}-${version}`,
})
