import { Button, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { keepAwake } from '../page/keep-awake.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import { isWhole } from '../scanner/scan-agreement.ts'
import { NoEngineError, type Sighting, type Size } from '../scanner/sightings.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { openShelfReader, type ShelfReader } from '../scanner/shelf-reader.ts'
import { useBackCloses } from '../ui/dialogs/use-back-closes.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import type { Look } from './look.ts'
import { Chosen, Told, type ToneWords } from './seen-codes.tsx'
import { createShelfWalk, type SeenCode } from './shelf-walk.ts'
import styles from './shelf-picture.module.css'
import { Film, noShelfEngine, Still, type StillShown, type TakePhoto } from './shelf-views.tsx'

type ShelfPictureProps = {
  title: string
  toneWords: ToneWords
  /** Asked anew whenever it is drawn. */
  lookOf: (code: SeenCode) => Look
  /** All that a picture or a frame shows, as often as one is read. */
  onSeen: (codes: readonly SeenCode[]) => void
  /** The lists below the picture, of all that was seen; `choose` lights up one code and opens its line. */
  children: (seen: { stretches: readonly SeenCode[][]; choose: (text: string) => void }) => ReactNode
  /** What can be done with the code that was touched, below its line. */
  actsOf: (code: SeenCode) => ReactNode
  /** Where single codes are scanned, for a spine that no outline shows; the sheet closes. */
  onSingle?: () => void
  /** What a scan made meanwhile came to, which the sheet would hide. */
  note?: string | undefined
  onScan: ScanHandler
  onClose: () => void
}

type Shown = { kind: 'film' } | ({ kind: 'still' } & StillShown)

const film: Shown = { kind: 'film' }

/** What is shown of a photograph; it is read at its own size, and let go. */
const shownSide = 1600

/** A shelf through the camera, live or photographed: every code in sight has its outline. */
export function ShelfPicture(props: ShelfPictureProps) {
  const { title, toneWords, lookOf, onSeen, children, actsOf, onSingle, note, onScan, onClose } = props
  const close = useBackCloses(onClose)
  const [walk] = useState(createShelfWalk)
  const [shown, setShown] = useState<Shown>(film)
  const [problem, setProblem] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [seen, setSeen] = useState<readonly SeenCode[][]>([])
  const reader = useShelfReader()
  const take = (sightings: readonly Sighting[], size: Size) => {
    const shapes = knownShapes()
    const whole = sightings.filter((read) => isWhole(read, shapes))
    if (whole.length === 0) return
    if (walk.add(whole, size)) setSeen(walk.stretches())
    onSeen(whole)
  }
  useEffect(() => keepAwake(), [])
  const [top, setTop] = useState<HTMLElement | null>(null)
  const kept = useRef<ImageBitmap>(null)
  /** Lets go of the picture before. */
  const keep = (picture: ImageBitmap | null) => {
    kept.current?.close()
    kept.current = picture
  }
  useEffect(() => () => kept.current?.close(), [])
  /** Each photograph has its turn: one that was given up is still counted, and shown no more. */
  const turn = useRef(0)
  const goOn = () => {
    turn.current += 1
    keep(null)
    setShown(film)
  }
  const read: TakePhoto = async (takePhoto) => {
    const mine = ++turn.current
    setProblem('')
    let photo: ImageBitmap | undefined
    let isOpened = false
    try {
      const taken = await takePhoto()
      photo = taken.image
      const { isOfFilm } = taken
      const size = { width: photo.width, height: photo.height }
      const picture = await smaller(photo)
      if (mine !== turn.current) return picture.close()
      keep(picture)
      setChosen(null)
      setShown({ kind: 'still', picture, sightings: null, size, isOfFilm })
      const engine = await reader
      isOpened = true
      const sightings = (await engine?.read(photo)) ?? []
      if (mine === turn.current) setShown({ kind: 'still', picture, sightings, size, isOfFilm })
      take(sightings, size)
    } catch (error) {
      // One that cannot be opened leaves what is shown; one that cannot be read would be shown as being read.
      setShown((now) => (now.kind === 'still' && now.sightings === null ? film : now))
      setProblem(
        !(error instanceof NoEngineError)
          ? 'Cette photo n’a pas pu être lue. Prenez-en une autre.'
          : isOpened
            ? 'Cette photo dépasse la mémoire de cet appareil. Photographiez une plus petite partie de l’étagère.'
            : noShelfEngine,
      )
    } finally {
      photo?.close()
    }
  }
  const all = seen.flat()
  const touched = all.find(({ text }) => text === chosen)
  /** From a list, which may have pushed the picture out of sight. */
  const light = (text: string) => {
    setChosen(text)
    top?.scrollIntoView({ block: 'start' })
  }
  return (
    <Sheet title={title} position="bottom" size="100dvh" onClose={close} onScan={onScan}>
      <div className={styles['picture']} onPointerDown={unlockSound}>
        <div className={styles['shown']} ref={setTop}>
          {reader === null ? null : shown.kind === 'film' ? (
            <Film
              reader={reader}
              lookOf={lookOf}
              chosen={chosen}
              onChoose={setChosen}
              onFrame={take}
              onPhoto={read}
            />
          ) : (
            <Still
              shown={shown}
              lookOf={lookOf}
              chosen={chosen}
              onChoose={setChosen}
              onFilm={goOn}
              onPhoto={read}
            />
          )}
          {problem === '' ? null : <Text role="alert">{problem}</Text>}
          {touched === undefined ? null : (
            <Chosen look={lookOf(touched)} code={touched.text} acts={actsOf(touched)} />
          )}
        </div>
        <div className={styles['said']}>
          <Told codes={all} lookOf={lookOf} words={toneWords} />
          <Text aria-live="polite">{note}</Text>
          {onSingle === undefined ? null : (
            <Button variant="subtle" onClick={onSingle}>
              Un de plus à l’œil&#8239;? Le scanner seul
            </Button>
          )}
          {children({ stretches: seen, choose: light })}
        </div>
      </div>
    </Sheet>
  )
}

/** One for as long as the sheet is open; null before the first drawing. */
function useShelfReader(): Promise<ShelfReader> | null {
  const [reader, setReader] = useState<Promise<ShelfReader> | null>(null)
  useEffect(() => {
    const opened = openShelfReader()
    // Whoever reads says that it cannot.
    opened.catch(nothing)
    setReader(opened)
    return () => void opened.then((one) => one.close(), nothing)
  }, [])
  return reader
}

const nothing = (): void => undefined

async function smaller(photo: ImageBitmap): Promise<ImageBitmap> {
  const scale = Math.min(1, shownSide / Math.max(photo.width, photo.height))
  return createImageBitmap(photo, {
    resizeWidth: Math.round(photo.width * scale),
    resizeHeight: Math.round(photo.height * scale),
  })
}
