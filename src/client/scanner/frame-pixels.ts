/** Pixels as a canvas gives them (4 bytes each); in a browser an ImageData is one. */
export interface FramePixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

export interface Region {
  x: number
  y: number
  width: number
  height: number
}
