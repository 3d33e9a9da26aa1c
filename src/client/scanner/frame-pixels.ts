/** 4 bytes a pixel, like an ImageData. */
export interface FramePixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** A number from 0 to 255 a pixel. */
export interface GreyPixels {
  data: Float32Array
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export interface Region extends Point {
  width: number
  height: number
}

export function greyOf({ data, width, height }: FramePixels): GreyPixels {
  const grey = new Float32Array(width * height)
  for (let at = 0, from = 0; at < grey.length; at++, from += 4) {
    grey[at] = 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0)
  }
  return { data: grey, width, height }
}

/** For a pixel written as one number, in either byte order. */
export const opaque = new Uint32Array(new Uint8Array([0, 0, 0, 255]).buffer)[0] ?? 0
