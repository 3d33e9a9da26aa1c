import { Alert, Button, FileButton, Group, Slider, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { cleanScan } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { cameraSentences } from './camera-problems.ts'
import { startCameraSession } from './camera-session.ts'
import type { CameraSession, CameraState } from './camera-session.ts'
import type { OpenCamera } from './camera-reader.ts'
import { openDecoder } from './decoder.ts'
import type { Decoder } from './decoder.ts'
import { createScanAgreement } from './scan-agreement.ts'
import type { Read } from './scan-agreement.ts'
import { unlockSound } from './scan-feedback.ts'
import type { ScanSignal } from './scan-feedback.ts'
import classes from './camera-panel.module.css'

export interface CameraPanelProps {
  /** Each code read once, cleaned; goes on until closed. */
  onScan: (text: string, symbology: Symbology) => void
  onClose: () => void
  /** How the last scan ended, as the caller judged it: shown under the picture and said aloud. */
  note?: { signal: ScanSignal; text: string } | undefined
}

const colourOf: Record<ScanSignal, string> = { success: 'green', warning: 'yellow', refusal: 'red' }
const tall = { mih: 44 }

/** The camera, its aiming frame and its settings, with a photograph as the way out. Load it lazily. */
export function CameraPanel({ onScan, onClose, note }: CameraPanelProps) {
  const video = useRef<HTMLVideoElement>(null)
  const session = useRef<CameraSession>(null)
  const decoder = useRef<Promise<Decoder>>(null)
  const latest = useRef(onScan)
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  const [photoNote, setPhotoNote] = useState('')

  useEffect(() => {
    latest.current = onScan
  }, [onScan])

  useEffect(() => {
    const element = video.current
    if (element === null) return undefined
    // The tap that opened this panel lets it sound; asked again at each tap in it, should that one not have counted.
    unlockSound()
    const opened = openDecoder()
    decoder.current = opened
    const agree = createScanAgreement(() => performance.now())
    const running = startCameraSession({
      video: element,
      decoder: opened,
      onState: setState,
      onFrame: (read) => {
        const agreed = agree(read)
        if (agreed !== null) give(agreed)
      },
    })
    session.current = running
    return () => {
      running.end()
      opened.then(
        (one) => one.close(),
        () => {},
      )
    }

    function give({ text, symbology }: Read): void {
      setPhotoNote('')
      latest.current(cleanScan(text, symbology), symbology)
    }
  }, [])

  const readPhoto = async (file: File | null): Promise<void> => {
    if (file === null || decoder.current === null) return
    setPhotoNote('Lecture de la photo…')
    const read = await findInPhoto(file, decoder.current)
    setPhotoNote(read === null ? 'Aucun code-barres lisible sur cette photo. Reprenez-la de plus près.' : '')
    if (read !== null) onScan(cleanScan(read.text, read.symbology), read.symbology)
  }

  return (
    <Stack gap="sm" onPointerDown={unlockSound}>
      {state.kind === 'failed' && (
        <Alert color="red" title="La caméra ne s’affiche pas" role="alert">
          <Stack gap="sm" align="flex-start">
            <Text>{cameraSentences[state.problem]}</Text>
            <Text>Vous pouvez aussi photographier le code ou le saisir au clavier.</Text>
            <Button {...tall} variant="default" onClick={() => session.current?.retry()}>
              Réessayer
            </Button>
          </Stack>
        </Alert>
      )}
      <div className={classes.view} hidden={state.kind === 'failed'}>
        <video ref={video} className={classes.video} muted playsInline aria-label="Image de la caméra" />
        <div className={classes.aim} data-signal={note?.signal} aria-hidden />
        {state.kind === 'starting' && <div className={classes.starting}>Ouverture de la caméra…</div>}
      </div>
      <div aria-live="polite">
        {note && (
          <Alert color={colourOf[note.signal]} p="xs" role="note">
            {note.text}
          </Alert>
        )}
        {photoNote !== '' && <Text>{photoNote}</Text>}
      </div>
      <Group gap="sm">
        {state.kind === 'running' && (
          <CameraSettings camera={state.camera} onSwitch={() => session.current?.switchCamera()} />
        )}
        <FileButton accept="image/*" capture="environment" onChange={(file) => void readPhoto(file)}>
          {(props) => (
            <Button {...tall} variant="default" {...props}>
              Photographier le code
            </Button>
          )}
        </FileButton>
        <Button {...tall} variant="default" onClick={onClose}>
          Fermer la caméra
        </Button>
      </Group>
    </Stack>
  )
}

/** Only what this camera offers. Starts anew with each camera. */
function CameraSettings({ camera, onSwitch }: { camera: OpenCamera; onSwitch: () => void }) {
  const { zoom } = camera
  const [torch, setTorch] = useState(false)

  const toggleTorch = (): void => {
    camera.setTorch(!torch).then(
      () => setTorch(!torch),
      () => {
        // The lamp stays as it is, and the button says so.
      },
    )
  }

  return (
    <>
      {camera.hasTorch && (
        <Button {...tall} variant={torch ? 'filled' : 'default'} aria-pressed={torch} onClick={toggleTorch}>
          Lampe
        </Button>
      )}
      {camera.canSwitch && (
        <Button {...tall} variant="default" onClick={onSwitch}>
          Changer de caméra
        </Button>
      )}
      {zoom !== null && (
        <Slider
          flex="1 1 12rem"
          py="md"
          thumbSize={28}
          thumbLabel="Zoom"
          label={(value) => `× ${value.toLocaleString('fr-FR', { maximumFractionDigits: 1 })}`}
          min={zoom.min}
          max={zoom.max}
          step={zoom.step || 0.1}
          defaultValue={zoom.min}
          onChange={(value) => void camera.setZoom(value)}
        />
      )}
    </>
  )
}

async function findInPhoto(file: File, decoder: Promise<Decoder>): Promise<Read | null> {
  try {
    const photo = await createImageBitmap(file)
    try {
      return await (await decoder).read(photo, 'full')
    } finally {
      photo.close()
    }
  } catch {
    // Not a picture, or no engine: for the person it comes to the same.
    return null
  }
}
