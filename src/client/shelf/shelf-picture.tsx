import { Button, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

import { keepAwake } from '../page/keep-awake.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import { isWhole } from '../scanner/scan-agreement.ts'
import type { Sighting } from '../scanner/sightings.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import type { ScanHandler } from '../scanner/scan-source.tsx'
import { openShelfReader, type ShelfReader } from '../scanner/shelf-reader.ts'
import { useBackCloses } from '../ui/dialogs/use-back-closes.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import type { Look } from './look.ts'
import { Chosen, Told, type ToneWords } from './seen-codes.tsx'
import { createShelfWalk, type SeenCode } from './shelf-walk.ts'
import styles from './shelf-picture.module.css'
import { Film, type Size, Still, type StillShown, type TakePhoto } from './shelf-views.tsx'

type ShelfPictureProps = {
  title: string
  toneWords: ToneWords
  /** Asked anew whenever it is drawn. */
  lookOf: (code: SeenCode) => Look
  /** What nothing showed before, once a picture or a frame: for a sound, and for what is counted. */
  onNews: (codes: readonly SeenCode[]) => void
  /** The lists below the picture, of all that was seen; `choose` lights up one code and opens its line. */
  children: (seen: { stretches: readonly SeenCode[][]; choose: (text: string) => void }) => ReactNode
  /** What can be done with the code that was touched, below its line. */
  actsOf: (code: SeenCode) => ReactNode
  /** Where single codes are scanned, for a spine that no outline shows; the sheet closes. */
  onSingle?: () => void
  onScan: ScanHandler
  onClose: () => void
}

type Shown = { kind: 'film' } | ({ kind: 'still' } & StillShown)

const film: Shown = { kind: 'film' }

/** What is shown of a photograph; it is read at its own size, and let go. */
const shownSide = 1600

/** A shelf through the camera, live or photographed: every code in sight has its outline. Load it lazily. */
export function ShelfPicture(props: ShelfPictureProps) {
  const { title, toneWords, lookOf, onNews, children, actsOf, onSingle, onScan, onClose } = props
  const close = useBackCloses(onClose)
  const [walk] = useState(createShelfWalk)
  const [shown, setShown] = useState<Shown>(film)
  const [problem, setProblem] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [seen, setSeen] = useState<readonly SeenCode[][]>([])
  const reader = useShelfReader()
  const take = (sightings: readonly Sighting[], size: Size) => {
    const shapes = knownShapes()
    const news = walk.add(
      sightings.filter((read) => isWhole(read, shapes)),
      size,
    )
    if (news.length === 0) return
    setSeen(walk.stretches())
    onNews(news)
  }
  useEffect(() => keepAwake(), [])
  const drop = () => {
    if (shown.kind === 'still') shown.picture.close()
  }
  const goOn = () => {
    drop()
    setShown(film)
  }
  const read: TakePhoto = async (takePhoto) => {
    setProblem('')
    let photo: ImageBitmap | undefined
    try {
      photo = await takePhoto()
      const size = { width: photo.width, height: photo.height }
      const picture = await smaller(photo)
      drop()
      setShown({ kind: 'still', picture, sightings: null, size })
      const sightings = (await (await reader)?.read(photo, 'still')) ?? []
      setShown({ kind: 'still', picture, sightings, size })
      take(sightings, size)
    } catch {
      setShown(film)
      setProblem('Cette photo n’a pas pu être lue. Prenez-en une autre.')
    } finally {
      photo?.close()
    }
  }
  const all = seen.flat()
  const touched = all.find(({ text }) => text === chosen)
  return (
    <Sheet title={title} position="bottom" size="100dvh" onClose={close} onScan={onScan}>
      <div className={styles['picture']} onPointerDown={unlockSound}>
        <div className={styles['shown']}>
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
        </div>
        <div className={styles['said']}>
          <Told codes={all} lookOf={lookOf} words={toneWords} />
          {touched === undefined ? null : (
            <Chosen look={lookOf(touched)} code={touched.text} acts={actsOf(touched)} />
          )}
          {onSingle === undefined || all.length === 0 ? null : (
            <Button variant="subtle" onClick={onSingle}>
              Un dos sans contour&#8239;? Le scanner seul
            </Button>
          )}
          {children({ stretches: seen, choose: setChosen })}
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
