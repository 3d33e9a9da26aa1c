import { type CameraSession, type CameraState, startCameraSession } from '../scanner/camera-session.ts'
import type { Decoder } from '../scanner/decoder.ts'
import type { Sighting } from '../scanner/sightings.ts'
import type { ShelfReader } from '../scanner/shelf-reader.ts'

type LiveShelf = {
  video: HTMLVideoElement
  reader: Promise<ShelfReader>
  onState: (state: CameraState) => void
  onFrame: (sightings: readonly Sighting[]) => void
}

/** The camera's session with every code of a frame in place of the one that is aimed at. */
export function startLiveShelf({ video, reader, onState, onFrame }: LiveShelf): CameraSession {
  const decoder = reader.then((one): Decoder => ({
    engine: 'zxing-wasm',
    close: one.close,
    async read() {
      await one.watch(video, onFrame)
      return null
    },
  }))
  return startCameraSession({ video, decoder, onState, onFrame: () => 'nothing' })
}

/** The browser's own way to a full picture, missing from TypeScript's DOM (https://w3c.github.io/mediacapture-image). */
type TakesPhoto = { takePhoto: () => Promise<Blob> }
type ImageCaptureOf = new (track: MediaStreamTrack) => TakesPhoto

const captureOf = (track: MediaStreamTrack | undefined): TakesPhoto | null => {
  const Capture = (globalThis as { ImageCapture?: ImageCaptureOf }).ImageCapture
  return Capture === undefined || track === undefined ? null : new Capture(track)
}

/** Whether this browser asks cameras for photographs; else a person's camera app gives the better picture. */
export const takesPhotos = (): boolean => 'ImageCapture' in globalThis

/** `isOfFilm`: a frame, which is smaller than what the camera would photograph. */
export type Photo = { image: ImageBitmap; isOfFilm: boolean }

/** The largest picture that the running camera gives; rejects where it gives none. */
export async function takeStill(video: HTMLVideoElement): Promise<Photo> {
  const [track] = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : []
  const capture = captureOf(track)
  if (capture !== null) {
    try {
      return { image: await createImageBitmap(await capture.takePhoto()), isOfFilm: false }
    } catch {
      // Some cameras offer photographs and refuse them while they film.
    }
  }
  return { image: await createImageBitmap(video), isOfFilm: true }
}
