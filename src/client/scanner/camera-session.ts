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

export const cameraSentences: Record<CameraProblem, string> = {
  denied:
    'L’accès à la caméra est refusé. Autorisez-la pour ce site dans les réglages du navigateur, puis réessayez.',
  none: 'Aucune caméra n’a été trouvée sur cet appareil.',
  busy: 'La caméra est occupée par une autre application. Fermez-la, puis réessayez.',
  overconstrained: 'Cette caméra ne convient pas à la lecture. Essayez-en une autre.',
  insecure: 'La caméra ne fonctionne qu’à une adresse sécurisée (https).',
  interrupted: 'La caméra s’est arrêtée. Vérifiez qu’elle est branchée, puis réessayez.',
  no_engine: 'Ce navigateur ne sait pas lire les codes-barres en image. Saisissez le code au clavier.',
  unknown: 'La caméra n’a pas pu démarrer. Réessayez.',
}

export interface CameraSession {
  retry: () => void
  switchCamera: () => void
  end: () => void
}

interface CameraSessionWishes {
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
