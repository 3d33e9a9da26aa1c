import { openCamera } from './camera-reader.ts'
import type { OpenCamera } from './camera-reader.ts'
import type { CameraProblem } from './camera-problems.ts'
import { listCameras } from './camera-stream.ts'
import type { Decoder } from './decoder.ts'
import type { Read, Verdict } from './scan-agreement.ts'
import { isPageAway, watchPageAway } from '../page/page-away.ts'

export type CameraState =
  | { kind: 'starting' }
  | { kind: 'running'; camera: OpenCamera }
  | { kind: 'failed'; problem: CameraProblem; canSwitch: boolean }

export interface CameraSession {
  retry: () => void
  switchCamera: () => void
  end: () => void
}

export interface CameraSessionWishes {
  video: HTMLVideoElement
  decoder: Promise<Decoder>
  onFrame: (read: Read | null) => Verdict
  onState: (state: CameraState) => void
}

/** A hidden page releases the camera, so that its light goes out. */
export function startCameraSession({ video, decoder, onFrame, onState }: CameraSessionWishes): CameraSession {
  let current = new AbortController()

  const start = async (another: boolean): Promise<void> => {
    current.abort()
    const attempt = new AbortController()
    current = attempt
    const { signal } = attempt
    const fail = (problem: CameraProblem): void => {
      if (signal.aborted) return
      attempt.abort()
      onState({ kind: 'failed', problem, canSwitch: false })
      listCameras().then(
        (cameras) => {
          if (current === attempt && cameras.length > 1) onState({ kind: 'failed', problem, canSwitch: true })
        },
        () => {
          // Without permission to list them there is no other camera.
        },
      )
    }
    onState({ kind: 'starting' })
    const outcome = await openCamera({ video, decoder, signal, another, onFrame, onLost: fail })
    if (!outcome.ok) fail(outcome.problem)
    else if (!signal.aborted) onState({ kind: 'running', camera: outcome.camera })
  }

  const look = (): void => {
    if (document.visibilityState === 'hidden' || isPageAway()) current.abort()
    else void start(false)
  }
  document.addEventListener('visibilitychange', look)
  const stopWatching = watchPageAway(look)
  look()

  return {
    retry: () => void start(false),
    switchCamera: () => void start(true),
    end: () => {
      document.removeEventListener('visibilitychange', look)
      stopWatching()
      current.abort()
      current = new AbortController()
    },
  }
}
