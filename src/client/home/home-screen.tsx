import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { InstallHint } from '../ui/install-prompt.tsx'
import { wasEscapeForOverlay } from '../ui/overlay-open.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useRight } from '../session/session.ts'
import { downloadQueue } from '../waiting/download-queue.ts'
import styles from './home.module.css'
import type { LaneLine, Way } from './lane.ts'
import { LaneList } from './lane-list.tsx'
import { setChosen } from './lane-store.ts'
import { takeBack, takeWay } from './lane-ways.ts'
import { chooseInLane, returnIntoLane, scanIntoLane } from './lane-work.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { ScanBox } from './scan-box.tsx'
import { useLane } from './use-lane.ts'

const CameraSheet = lazy(() => import('./camera-sheet.tsx'))
const DueTables = lazy(() => import('./due-tables.tsx'))
// Fetched as soon as the counter stands, so that it is there when the first card is scanned.
const loadReaderCard = () => import('./reader-card.tsx')
const ReaderCard = lazy(loadReaderCard)
const OverrideDialog = lazy(() => import('./override-dialog.tsx'))

/** How many lines are shown before « Voir plus ». */
const shortLane = 12

/** The counter: the scan box, the lane and the reader; under them what is due today and what is late. */
export default function HomeScreen() {
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const maySeeLoans = useRight('LIST_LOANINGS')
  useEffect(() => {
    document.title = 'Accueil · Comptoir'
  }, [])
  return (
    <div className={styles['home']}>
      <VisuallyHidden component="h1">Accueil</VisuallyHidden>
      {isCounter ? <Counter /> : null}
      <InstallHint />
      {maySeeLoans ? (
        <Suspense fallback={<Skeleton height="20rem" radius="lg" />}>
          <DueTables />
        </Suspense>
      ) : null}
    </div>
  )
}

function Counter() {
  const { chosen, lines, said, ways, may } = useLane()
  const input = useRef<HTMLInputElement>(null)
  const camera = useCamera()
  const [overridden, setOverridden] = useState<LaneLine | null>(null)
  const [isLong, setLong] = useState(false)
  useScans((code, symbology) => void scanIntoLane(code, 'scanner', symbology))
  useReadyField(input)
  useHotkeys([['Escape', closeCard, { preventDefault: false }]], [])
  useEffect(() => void loadReaderCard().catch(() => undefined), [])

  const onWay = (line: LaneLine, way: Way) => {
    unlockSound()
    if (way === 'override') setOverridden(line)
    else if (way === 'export')
      void downloadQueue(line.step.name === 'said' && line.step.unsaved ? [line.step.unsaved] : [])
    else void takeWay(line.key, way, ways)
  }
  const shown = isLong ? lines : lines.slice(-shortLane)
  return (
    <>
      <ScanBox
        inputRef={input}
        onCode={(code) => void scanIntoLane(code, 'fingers')}
        onReader={(reader) => void chooseInLane(reader)}
        onCamera={camera.open}
      />
      <OfflineBanner />
      {/* Two equal sentences are two events: the key makes the second one read as well. */}
      <VisuallyHidden aria-live={said?.signal === 'refusal' ? 'assertive' : 'polite'}>
        <span key={said?.turn}>{said?.text}</span>
      </VisuallyHidden>
      <div className={styles['counter']} data-reader={chosen ? true : undefined}>
        {chosen ? (
          <Suspense fallback={<Skeleton className={styles['reader'] ?? ''} height="10rem" radius="lg" />}>
            <ReaderCard
              key={chosen.reader.id}
              chosen={chosen}
              onClose={() => setChosen(null)}
              onReturn={returnFromCard}
            />
          </Suspense>
        ) : null}
        <section aria-label="Passages au comptoir">
          <LaneList
            lines={shown}
            may={may}
            onWay={onWay}
            onTakeBack={(line) => void takeBack(line.key, ways)}
          />
          {lines.length > shown.length ? (
            <Button variant="subtle" fullWidth mt="xs" onClick={() => setLong(true)}>
              Voir les passages précédents
            </Button>
          ) : null}
        </section>
      </div>
      <Suspense fallback={null}>
        {camera.isOpen ? (
          <CameraSheet
            onScan={(code, symbology) => void scanIntoLane(code, 'camera', symbology)}
            onClose={camera.close}
            note={said}
          />
        ) : null}
        {overridden ? (
          <OverrideDialog
            title={overridden.copy?.title ?? overridden.code}
            reasons={overridden.step.name === 'asks' ? overridden.step.details : []}
            onClose={() => setOverridden(null)}
            onConfirm={(motive) => {
              setOverridden(null)
              void takeWay(overridden.key, 'override', ways, motive)
            }}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const returnFromCard = (bar_code: string) => void returnIntoLane(bar_code)

/** Escape closes the reader's card, unless something above it took it. */
function closeCard(event: KeyboardEvent) {
  if (!event.defaultPrevented && !wasEscapeForOverlay()) setChosen(null)
}

/** The camera is in the address: « Scanner » of the frame opens it from any screen, and back closes it. */
function useCamera() {
  const [search, setSearch] = useSearchParams()
  const put = (isOpen: boolean) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (isOpen) next.set('scanner', '1')
        else next.delete('scanner')
        return next
      },
      { replace: !isOpen },
    )
  return { isOpen: search.get('scanner') === '1', open: () => put(true), close: () => put(false) }
}

/** Ready to type at once where there is a mouse or a trackpad, so a keyboard; a finger's soft keyboard would hide the lane. */
function useReadyField(input: React.RefObject<HTMLInputElement | null>) {
  const hasKeyboard = useMediaQuery('(any-pointer: fine)', false, { getInitialValueInEffect: false })
  useEffect(() => {
    if (hasKeyboard) input.current?.focus({ preventScroll: true })
  }, [hasKeyboard, input])
}
