import { Button, FileButton, Group, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { cleanScan, type Symbology } from '../../domain/bar-code.ts'
import { tellGesture } from '../page/gestures.ts'
import { takeDecoder } from './camera-ahead.ts'
import classes from './camera-panel.module.css'
import { type CameraSession, type CameraState, startCameraSession } from './camera-session.ts'
import { CameraFailure, CameraSettings } from './camera-settings.tsx'
import type { Decoder } from './decoder.ts'
import { isKnownHere } from './known-here.ts'
import { knownShapes } from './known-shapes.ts'
import { createScanAgreement, isWhole, type Read } from './scan-agreement.ts'
import { type ScanSignal, unlockSound } from './scan-feedback.ts'
import { submitScan } from './scan-source.tsx'

function TypedCode({ takesFocus }: { takesFocus: boolean }) {
  const [code, setCode] = useState('')

  const onSubmit = (event: React.SubmitEvent): void => {
    event.preventDefault()
    if (code.trim() === '') return
    submitScan(code)
    setCode('')
  }

  return (
    <form onSubmit={onSubmit}>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label="Code écrit sous les barres"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-scan-box
          enterKeyHint="done"
          ref={takesFocus ? focusOnce : undefined}
          styles={{ input: { minHeight: 44 } }}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" mih={44}>
          Valider
        </Button>
      </Group>
    </form>
  )
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}

interface CameraPanelProps {
  onScan: (text: string, symbology: Symbology) => void
  onClose: () => void
  /** How the caller judged the last scan; also read aloud. */
  note?: { signal: ScanSignal; text: string } | undefined
}

const tall = { mih: 44, px: 'sm' } as const

/** Load it lazily. */
export function CameraPanel({ onScan, onClose, note }: CameraPanelProps) {
  const video = useRef<HTMLVideoElement>(null)
  const session = useRef<CameraSession>(null)
  const decoder = useRef<Promise<Decoder>>(null)
  const forgetPhoto = useRef<() => void>(null)
  const latest = useRef(onScan)
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  const [photoNote, setPhotoNote] = useState('')
  const [isTyping, setTyping] = useState(false)

  useEffect(() => {
    latest.current = onScan
  }, [onScan])

  useEffect(() => {
    const element = video.current
    if (element === null) return undefined
    // Sound needs a tap: the one that opened this panel, else each tap in it.
    unlockSound()
    const opened = takeDecoder()
    decoder.current = opened
    let isOver = false
    const agree = createScanAgreement({
      now: () => performance.now(),
      shapes: knownShapes,
      isKnown: isKnownHere,
      onScan: (read) => {
        // The device's word may come after the panel was closed.
        if (isOver) return
        tellGesture()
        give(read)
      },
    })
    const running = startCameraSession({
      video: element,
      decoder: opened,
      onState: setState,
      onFrame: agree,
    })
    session.current = running
    return () => {
      isOver = true
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
    // A second photograph of the same name would otherwise be no change.
    forgetPhoto.current?.()
    setPhotoNote('Lecture de la photo…')
    const read = await findInPhoto(file, decoder.current)
    setPhotoNote(read === null ? 'Aucun code-barres lisible sur cette photo. Reprenez-la de plus près.' : '')
    if (read !== null) onScan(cleanScan(read.text, read.symbology), read.symbology)
  }

  const problem = state.kind === 'failed' ? state.problem : null
  return (
    <div className={classes['panel']} onPointerDown={unlockSound}>
      <div className={classes['stage']} data-failed={problem !== null || undefined}>
        {state.kind === 'failed' && (
          <CameraFailure
            problem={state.problem}
            onRetry={() => session.current?.retry()}
            onSwitch={state.canSwitch ? () => session.current?.switchCamera() : null}
          />
        )}
        <div className={classes['view']} hidden={problem !== null}>
          <video ref={video} className={classes['video']} muted playsInline aria-label="Image de la caméra" />
          <div className={classes['aim']} data-signal={note?.signal} aria-hidden />
          {state.kind === 'starting' && (
            <div className={classes['starting']} role="status">
              Ouverture de la caméra…
            </div>
          )}
        </div>
        <div className={classes['said']} aria-live="polite">
          {note && (
            <div className={classes['note']} data-signal={note.signal} role="note">
              {note.text}
            </div>
          )}
          {photoNote !== '' && (
            <div className={classes['note']} role="note">
              {photoNote}
            </div>
          )}
        </div>
        {state.kind === 'running' && (
          <CameraSettings camera={state.camera} onSwitch={() => session.current?.switchCamera()} />
        )}
      </div>
      <Stack gap="sm">
        {(isTyping || problem !== null) && <TypedCode takesFocus={isTyping} />}
        <Group gap="sm">
          {problem !== 'no_engine' && (
            <FileButton
              resetRef={forgetPhoto}
              accept="image/*"
              capture="environment"
              onChange={(file) => void readPhoto(file)}
            >
              {(props) => (
                <Button {...tall} variant="default" {...props}>
                  Photographier le code
                </Button>
              )}
            </FileButton>
          )}
          {!isTyping && problem === null && (
            <Button {...tall} variant="default" onClick={() => setTyping(true)}>
              Saisir le code
            </Button>
          )}
          <Button {...tall} variant="default" onClick={onClose}>
            Fermer la caméra
          </Button>
        </Group>
      </Stack>
    </div>
  )
}

async function findInPhoto(file: File, decoder: Promise<Decoder>): Promise<Read | null> {
  try {
    const photo = await createImageBitmap(file)
    try {
      const read = await (await decoder).read(photo, 'photo')
      return read !== null && isWhole(read, knownShapes()) ? read : null
    } finally {
      photo.close()
    }
  } catch {
    return null
  }
}
