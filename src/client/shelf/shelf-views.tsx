import { Button, FileButton, Text } from '@mantine/core'
import { IconCamera, IconPhotoScan, IconVideo } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

import type { CameraSession, CameraState } from '../scanner/camera-session.ts'
import { CameraFailure, CameraSettings } from '../scanner/camera-settings.tsx'
import type { Sighting, Size } from '../scanner/sightings.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import type { ShelfReader } from '../scanner/shelf-reader.ts'
import { type Photo, startLiveShelf, takesPhotos, takeStill } from './live-shelf.ts'
import type { Look } from './look.ts'
import { Outlines } from './outlines.tsx'
import type { SeenCode } from './shelf-walk.ts'
import styles from './shelf-picture.module.css'

/** `sightings` is null while the photograph is read. */
export type StillShown = {
  picture: ImageBitmap
  sightings: readonly Sighting[] | null
  size: Size
  isOfFilm: boolean
}

export const noShelfEngine =
  'Cet appareil ne lit pas les codes-barres d’une étagère en image. Fermez cette fenêtre et scannez-les un par un.'

/** A frame may miss what the one before it read: an outline stays so long, in milliseconds. */
const heldMs = 600

type OutlinedProps = {
  lookOf: (code: SeenCode) => Look
  chosen: string | null
  onChoose: (text: string) => void
  onPhoto: TakePhoto
}
export type TakePhoto = (takePhoto: () => Promise<Photo>) => unknown

type FilmProps = OutlinedProps & {
  reader: Promise<ShelfReader>
  onFrame: (sightings: readonly Sighting[], size: Size) => void
}

const nothingInSight = { sightings: [], size: { width: 4, height: 3 } }

/** Drawn anew with each frame, and alone. */
export function Film({ reader, lookOf, chosen, onChoose, onFrame, onPhoto }: FilmProps) {
  const video = useRef<HTMLVideoElement>(null)
  const session = useRef<CameraSession>(null)
  const latest = useRef(onFrame)
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  const [inSight, setInSight] = useState<{ sightings: readonly Sighting[]; size: Size }>(nothingInSight)
  useEffect(() => {
    latest.current = onFrame
  }, [onFrame])
  useEffect(() => {
    const element = video.current
    if (element === null) return undefined
    unlockSound()
    const held = new Map<string, { sighting: Sighting; at: number }>()
    let isOver = false
    const running = startLiveShelf({
      video: element,
      reader,
      onState: setState,
      onFrame: (read) => {
        // The last frame is answered after a photograph took its place.
        if (isOver) return
        const now = performance.now()
        for (const sighting of read) held.set(sighting.text, { sighting, at: now })
        for (const [text, { at }] of held) if (now - at > heldMs) held.delete(text)
        const size = { width: element.videoWidth || 4, height: element.videoHeight || 3 }
        setInSight({ sightings: Array.from(held.values(), ({ sighting }) => sighting), size })
        latest.current(read, size)
      },
    })
    session.current = running
    return () => {
      isOver = true
      running.end()
    }
  }, [reader])
  const [isShooting, setShooting] = useState(false)
  const failed = state.kind === 'failed' ? state : null
  const shoot = () => {
    const element = video.current
    if (element === null) return
    setShooting(true)
    onPhoto(() => takeStill(element).finally(() => setShooting(false)))
  }
  return (
    <>
      {failed === null ? null : (
        <CameraFailure
          problem={failed.problem}
          onRetry={() => session.current?.retry()}
          onSwitch={failed.canSwitch ? () => session.current?.switchCamera() : null}
          otherwise="Vous pouvez aussi choisir une photo de l’étagère."
          noEngine={noShelfEngine}
        />
      )}
      <div className={styles['camera']} hidden={failed !== null}>
        <div className={styles['stage']}>
          <video ref={video} className={styles['film']} muted playsInline aria-label="Image de la caméra" />
          <Outlines {...inSight} lookOf={lookOf} chosen={chosen} onChoose={onChoose} />
          {state.kind === 'starting' ? (
            <div className={styles['over']} role="status">
              Ouverture de la caméra…
            </div>
          ) : null}
        </div>
        {state.kind === 'running' ? (
          <CameraSettings camera={state.camera} onSwitch={() => session.current?.switchCamera()} />
        ) : null}
      </div>
      <div className={styles['ways']}>
        {takesPhotos() && failed === null ? (
          <Button
            leftSection={<IconCamera size="1.3rem" aria-hidden />}
            disabled={state.kind !== 'running' || isShooting}
            onClick={shoot}
          >
            Photographier
          </Button>
        ) : null}
        <PhotoButton onPhoto={onPhoto} isMain={!takesPhotos() || failed !== null} isBusy={isShooting} />
      </div>
    </>
  )
}

type StillProps = OutlinedProps & { shown: StillShown; onFilm: () => void }

export function Still({ shown, lookOf, chosen, onChoose, onFilm, onPhoto }: StillProps) {
  const { picture, sightings, size, isOfFilm } = shown
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    context?.drawImage(picture, 0, 0)
  }, [picture])
  return (
    <>
      <div className={styles['stage']}>
        <canvas
          ref={canvas}
          className={styles['still']}
          width={picture.width}
          height={picture.height}
          role="img"
          aria-label="Photo de l’étagère"
        />
        {sightings === null ? (
          <div className={styles['over']} role="status">
            Lecture de la photo…
          </div>
        ) : (
          <Outlines sightings={sightings} size={size} lookOf={lookOf} chosen={chosen} onChoose={onChoose} />
        )}
      </div>
      {sightings?.length === 0 ? (
        <Text role="status">
          Aucun code lisible sur cette photo. Reprenez-la de plus près, bien nette, sans reflet.
        </Text>
      ) : null}
      {isOfFilm ? (
        <Text role="status">
          Cette caméra ne donne qu’une image de son film&#8239;: pour une étagère entière, «&nbsp;Ouvrir une
          photo&nbsp;» en lit davantage.
        </Text>
      ) : null}
      <div className={styles['ways']}>
        <Button leftSection={<IconVideo size="1.3rem" aria-hidden />} onClick={onFilm}>
          Continuer en direct
        </Button>
        <PhotoButton onPhoto={onPhoto} isMain={false} isBusy={sightings === null} />
      </div>
    </>
  )
}

type PhotoButtonProps = { onPhoto: TakePhoto; isMain: boolean; isBusy: boolean }

/** Of the person's camera app, whose pictures are the largest, or a file. */
function PhotoButton({ onPhoto, isMain, isBusy }: PhotoButtonProps) {
  const forget = useRef<() => void>(null)
  const open = (file: File | null) => {
    if (file === null) return
    // The same file again would otherwise be no change.
    forget.current?.()
    onPhoto(async () => ({ image: await createImageBitmap(file), isOfFilm: false }))
  }
  return (
    <FileButton
      resetRef={forget}
      accept="image/*"
      {...(takesPhotos() ? {} : { capture: 'environment' as const })}
      onChange={open}
    >
      {(props) => (
        <Button
          variant={isMain ? 'filled' : 'default'}
          disabled={isBusy}
          leftSection={<IconPhotoScan size="1.3rem" aria-hidden />}
          {...props}
        >
          {takesPhotos() ? 'Ouvrir une photo' : 'Photographier'}
        </Button>
      )}
    </FileButton>
  )
}
