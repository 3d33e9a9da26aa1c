import { BrowserCodeReader } from '@zxing/browser'
import type { IScannerControls } from '@zxing/browser'
import { dropStream, takeStream } from './camera-ahead.ts'
import { cameraProblemOf, findCameraObstacle } from './camera-problems.ts'
import type { CameraProblem } from './camera-problems.ts'
import { listCameras, openStream, pictureSize, rememberCamera, stopStream } from './camera-stream.ts'
import { readFrames } from './frame-modes.ts'
import type { Decoder } from './decoder.ts'
import type { Read, Verdict } from './scan-agreement.ts'

// Image Capture's properties, missing from TypeScript's DOM (https://w3c.github.io/mediacapture-image).
interface ImageSettings {
  focusMode?: string
  zoom?: number
  torch?: boolean
}
interface ImageCapabilities {
  deviceId?: string
  focusMode?: string[]
  zoom?: { min: number; max: number; step: number }
  torch?: boolean
}

export interface OpenCamera {
  canSwitch: boolean
  zoom: { min: number; max: number; step: number } | null
  hasTorch: boolean
  setTorch: (on: boolean) => Promise<void>
  setZoom: (zoom: number) => Promise<void>
}

type CameraOutcome = { ok: true; camera: OpenCamera } | { ok: false; problem: CameraProblem }

interface CameraWishes {
  video: HTMLVideoElement
  decoder: Promise<Decoder>
  /** Stops the camera, even while it opens. */
  signal: AbortSignal
  another: boolean
  onFrame: (read: Read | null) => Verdict
  onLost: (problem: CameraProblem) => void
}

const nothing = (): void => {}

const noReader = {
  decode: (): never => {
    throw new Error('frames are read by the decoder')
  },
  reset: nothing,
}

/** The library's own loop decodes on the page's thread, stops at an error and misses turned codes. */
class FrameReader extends BrowserCodeReader {
  readonly #wishes: CameraWishes

  constructor(wishes: CameraWishes) {
    super(noReader)
    this.#wishes = wishes
  }

  override scan(_element: unknown, _callback: unknown, finalize?: (error?: Error) => void): IScannerControls {
    const { video, decoder, onFrame, onLost } = this.#wishes
    const stopReading = readFrames({
      read: async (mode) => (await decoder).read(video, mode),
      onFrame,
      onBroken: () => onLost('no_engine'),
      askNext: (then) => onNextFrame(video, then),
    })
    let isStopped = false
    return {
      stop: () => {
        if (isStopped) return
        isStopped = true
        stopReading()
        finalize?.()
      },
    }
  }
}

function onNextFrame(video: HTMLVideoElement, callback: () => void): () => void {
  if ('requestVideoFrameCallback' in video) {
    const id = video.requestVideoFrameCallback(callback)
    return () => video.cancelVideoFrameCallback(id)
  }
  const id = requestAnimationFrame(callback)
  return () => cancelAnimationFrame(id)
}

let opening: Promise<unknown> = Promise.resolve()

/** Never rejects. One opening at a time, because two would fight for the video element. */
export function openCamera(wishes: CameraWishes): Promise<CameraOutcome> {
  const outcome = opening.then(() => openNow(wishes))
  opening = outcome
  return outcome
}

async function openNow(wishes: CameraWishes): Promise<CameraOutcome> {
  const { signal, onLost } = wishes
  const obstacle = findCameraObstacle()
  if (obstacle !== null) return { ok: false, problem: obstacle }
  if (signal.aborted) {
    dropStream()
    return { ok: false, problem: 'interrupted' }
  }
  try {
    const stream = await (wishes.another ? openStream({ another: true }) : takeStream())
    const controls = await showStream(stream, wishes)
    signal.addEventListener('abort', () => stopControls(controls), { once: true })
    const [track] = stream.getVideoTracks()
    if (signal.aborted || track === undefined) {
      stopControls(controls)
      return { ok: false, problem: 'interrupted' }
    }
    track.addEventListener('ended', () => onLost('interrupted'))
    rememberCamera(track)
    return { ok: true, camera: await describeCamera(controls, track) }
  } catch (error) {
    return { ok: false, problem: await problemWith(error) }
  }
}

/** WebKit says of a device that has no camera that none suits. */
async function problemWith(error: unknown): Promise<CameraProblem> {
  const problem = cameraProblemOf(error)
  if (problem !== 'overconstrained') return problem
  try {
    return (await listCameras()).length === 0 ? 'none' : problem
  } catch {
    return problem
  }
}

function stopControls(controls: IScannerControls): void {
  // With a torch the library's stop is a promise, which fails on a track that has just ended.
  const stopping: unknown = controls.stop()
  if (stopping instanceof Promise) stopping.catch(() => {})
}

/** In the video, and read. */
async function showStream(stream: MediaStream, wishes: CameraWishes): Promise<IScannerControls> {
  try {
    return await new FrameReader(wishes).decodeFromStream(stream, wishes.video, nothing)
  } catch (error) {
    stopStream(stream)
    throw error
  }
}

async function describeCamera(controls: IScannerControls, track: MediaStreamTrack): Promise<OpenCamera> {
  // Firefox had no getCapabilities before 132.
  const able = ('getCapabilities' in track ? track.getCapabilities() : {}) as ImageCapabilities
  const wanted: Required<Pick<ImageSettings, 'torch'>> & { zoom: number | null } = {
    torch: false,
    zoom: null,
  }

  // Each call replaces the one before, so it always states everything.
  const applyAll = async (): Promise<void> => {
    const advanced: ImageSettings[] = []
    if (able.focusMode?.includes('continuous')) advanced.push({ focusMode: 'continuous' })
    if (wanted.zoom !== null) advanced.push({ zoom: wanted.zoom })
    if (wanted.torch) advanced.push({ torch: true })
    if (advanced.length === 0) return
    await track
      .applyConstraints({ ...pictureSize, advanced: advanced as MediaTrackConstraintSet[] })
      .catch(() => {
        // A camera that refuses what it offered still reads.
      })
  }
  let applying: Promise<void> | null = null
  let isStale = false
  // A slider asks faster than a camera answers, so only its last value waits.
  const apply = (): Promise<void> => {
    isStale = true
    applying ??= (async () => {
      while (isStale) {
        isStale = false
        await applyAll()
      }
      applying = null
    })()
    return applying
  }
  await apply()
  const { zoom } = able
  return {
    canSwitch: (await listCameras()).length > 1,
    zoom: zoom !== undefined && zoom.max > zoom.min ? zoom : null,
    // Some browsers name the lamp only to say that there is none.
    hasTorch: controls.switchTorch !== undefined && able.torch !== false,
    setTorch: async (on) => {
      await controls.switchTorch?.(on)
      wanted.torch = on
      await apply()
    },
    setZoom: async (value) => {
      wanted.zoom = value
      await apply()
    },
  }
}
