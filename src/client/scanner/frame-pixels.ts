/** 4 bytes a pixel, like an ImageData. */
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
