import { cameraProblemOf, findCameraObstacle } from './camera-problems.ts'

const rememberedAt = 'comptoir.camera'

export const pictureSize = { width: { ideal: 1920, max: 1920 }, height: { ideal: 1080, max: 1080 } }

/** The remembered camera or the one after it, else the one facing away from the person. */
export async function openStream({ another }: { another: boolean }): Promise<MediaStream> {
  const remembered = localStorage.getItem(rememberedAt) ?? ''
  const chosen = another ? await findNextCamera(remembered) : remembered
  // Remembered before it opens: if it fails too, the next switch goes on from it.
  if (another) localStorage.setItem(rememberedAt, chosen)
  if (chosen !== '') {
    try {
      return await ask({ deviceId: { exact: chosen } })
    } catch (error) {
      if (!['none', 'overconstrained'].includes(cameraProblemOf(error))) throw error
    }
  }
  return ask({ facingMode: { ideal: 'environment' } })
}

const ask = (camera: MediaTrackConstraints): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ video: { ...camera, ...pictureSize } })

export function rememberCamera(track: MediaStreamTrack): void {
  localStorage.setItem(rememberedAt, track.getSettings().deviceId ?? '')
}

/** The camera's light goes out. */
export function stopStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
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
