import { BrowserCodeReader } from '@zxing/browser'
import type { IScannerControls } from '@zxing/browser'
import { cameraProblemOf, findCameraObstacle } from './camera-problems.ts'
import type { CameraProblem } from './camera-problems.ts'
import { createFrameTurns } from './frame-modes.ts'
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

export type CameraOutcome = { ok: true; camera: OpenCamera } | { ok: false; problem: CameraProblem }

export interface CameraWishes {
  video: HTMLVideoElement
  decoder: Promise<Decoder>
  /** Stops the camera, even while it opens. */
  signal: AbortSignal
  another: boolean
  onFrame: (read: Read | null) => Verdict
  onLost: (problem: CameraProblem) => void
}

const rememberedAt = 'comptoir.camera'
const size = { width: { ideal: 1920, max: 1920 }, height: { ideal: 1080, max: 1080 } }

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
    let stopped = false
    const turns = createFrameTurns()
    let cancelNext = nothing

    // The next frame is asked for after this one, so that none waits and the latest wins.
    const loop = async (): Promise<void> => {
      let read: Read | null
      try {
        read = await (await decoder).read(video, turns.mode)
      } catch {
        if (!stopped) onLost('no_engine')
        return
      }
      if (stopped) return
      let isCandidate = false
      try {
        isCandidate = onFrame(read) === 'candidate'
      } catch (error) {
        // A screen's error must not stop the camera.
        reportError(error)
      }
      turns.next(isCandidate)
      cancelNext = onNextFrame(video, () => void loop())
    }
    cancelNext = onNextFrame(video, () => void loop())
    return {
      stop: () => {
        if (stopped) return
        stopped = true
        cancelNext()
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
  const { signal, video, onLost } = wishes
  const obstacle = findCameraObstacle()
  if (obstacle !== null) return { ok: false, problem: obstacle }
  if (signal.aborted) return { ok: false, problem: 'interrupted' }
  try {
    const controls = await openControls(new FrameReader(wishes), wishes)
    signal.addEventListener('abort', () => stopControls(controls), { once: true })
    const track = (video.srcObject as MediaStream | null)?.getVideoTracks()[0]
    if (signal.aborted || track === undefined) {
      stopControls(controls)
      return { ok: false, problem: 'interrupted' }
    }
    track.addEventListener('ended', () => onLost('interrupted'))
    localStorage.setItem(rememberedAt, track.getSettings().deviceId ?? '')
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

/** The remembered camera or the next one, else the one facing away from the person. */
async function openControls(reader: FrameReader, wishes: CameraWishes): Promise<IScannerControls> {
  const open = (video: MediaTrackConstraints): Promise<IScannerControls> =>
    reader.decodeFromConstraints({ video }, wishes.video, nothing)
  const remembered = localStorage.getItem(rememberedAt) ?? ''
  const chosen = wishes.another ? await findNextCamera(remembered) : remembered
  // Remembered before it opens: if it fails too, the next switch goes on from it.
  if (wishes.another) localStorage.setItem(rememberedAt, chosen)
  if (chosen !== '') {
    try {
      return await open({ deviceId: { exact: chosen }, ...size })
    } catch (error) {
      if (!['none', 'overconstrained'].includes(cameraProblemOf(error))) throw error
    }
  }
  return open({ facingMode: { ideal: 'environment' }, ...size })
}

export async function listCameras(): Promise<string[]> {
  if (findCameraObstacle() !== null) return []
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId }) => deviceId)
}

async function findNextCamera(current: string): Promise<string> {
  const cameras = await listCameras()
  return cameras[(cameras.indexOf(current) + 1) % cameras.length] ?? ''
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
    await track.applyConstraints({ ...size, advanced: advanced as MediaTrackConstraintSet[] }).catch(() => {
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
