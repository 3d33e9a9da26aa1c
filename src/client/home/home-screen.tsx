import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { Symbology } from '../../domain/bar-code.ts'
import type { Proposal } from '../beneficiaries/use-proposed-reader.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { backToScanning } from '../ui/focus-place.ts'
import { useReadyField } from '../ui/forms/use-ready-field.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { wasEscapeForOverlay } from '../ui/overlay-open.ts'
import { useIsDesktop } from '../ui/screen-width.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import { type ScanHandler, useScans } from '../scanner/scan-source.tsx'
import type { TakenUp } from '../scanner/scans-not-taken.ts'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { useRight } from '../api/session.ts'
import styles from './home.module.css'
import {
  type LaneLine,
  type LaneReader,
  type ScanSource,
  readerKey,
  type LineOption,
  wholeOf,
} from './lane.ts'
import { happen, laneState, nameIntoLane } from './lane-store.ts'
import { ScanBox } from './scan-box.tsx'
import { useLane } from './use-lane.ts'
import { useLoanSheet } from './use-loan-sheet.ts'
import { inWords } from '../page/house-words.ts'

const CameraSheet = lazy(() => import('./camera-sheet.tsx'))
const loadDueTables = () => import('./due-tables.tsx')
const DueTables = lazy(loadDueTables)
const Morning = lazyPart(async () => ({ default: (await loadDueTables()).Morning }))
// Fetched at once, so that they are there for the first scan.
const loadReaderCard = () => import('./reader-card.tsx')
const ReaderCard = lazy(loadReaderCard)
const loadLaneList = () => import('./lane-list.tsx')
const LaneList = lazy(loadLaneList)
const loadDownload = () => import('../outbox/download-queue.ts')
const LoanSheet = lazyPart(() => import('./loan-sheet.tsx'))
const loadLookedUp = () => import('./looked-up-copy.tsx')
const LookedUpCopy = lazyPart(loadLookedUp)
const CopyOfAddress = lazyPart(async () => ({ default: (await loadLookedUp()).CopyOfAddress }))
const InstallHint = lazyPart(async () => ({
  default: (await import('../ui/install-prompt.tsx')).InstallHint,
}))
const OfflineBanner = lazyPart(async () => ({
  default: (await import('./offline-banner.tsx')).OfflineBanner,
}))

/** How many lines are shown before « Voir plus ». */
const shortLane = 12

export default function HomeScreen() {
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const maySeeLoans = useRight('LIST_LOANINGS')
  const isDesktop = useIsDesktop()
  useEffect(() => {
    document.title = 'Accueil · Comptoir'
  }, [])
  const isBeside = isCounter && isDesktop
  const due =
    maySeeLoans || !isBeside ? (
      <Suspense fallback={<LoadingBlock height="20rem" radius="lg" />}>
        <DueTables isBeside={isBeside} />
      </Suspense>
    ) : null
  return (
    // A desktop has the lists inside the counter, and only the hint to install under it.
    <div
      className={isDesktop ? `in-turn ${styles['home']}` : styles['home']}
      data-whole={maySeeLoans || undefined}
    >
      <VisuallyHidden component="h1">Accueil</VisuallyHidden>
      {isCounter ? <Counter due={due} isDesktop={isDesktop} /> : null}
      {/* Apart from the counter, whose reader card loads while one works. */}
      <div className={`in-turn ${styles['rest']}`}>
        {isBeside ? null : due}
        {/* Both come late: under the rest they move nothing. */}
        <InstallHint />
      </div>
      {isCounter ? <OfflineBanner /> : null}
    </div>
  )
}

/** `due` stands beside a desktop's lane while nobody is chosen. */
function Counter({ due, isDesktop }: { due: ReactNode; isDesktop: boolean }) {
  const { chosen, presence, proposed, lines, said, may, find, isResuming } = useLane()
  const input = useRef<HTMLInputElement>(null)
  const camera = useCameraAddress()
  const { sheet, ...doSheet } = useLoanSheet(chosen)
  const [isLong, setLong] = useState(false)
  const [looked, setLooked] = useState<CounterCopy | null>(null)
  const [search] = useSearchParams()
  const proposal = useRef<Proposal | null>(null)
  const stood = useRef('')
  const laneStart = useRef<HTMLSpanElement>(null)
  const isLanePassed = useIsPassed(laneStart)
  const scan = (code: string, by: ScanSource, symbology?: Symbology, of?: TakenUp) =>
    happen({ what: 'scan', code, by, symbology, in_sight: proposal.current?.isInSight() ?? false, of })
  // Only the camera knows which kind of bars it read.
  const takeScan: ScanHandler = (code, symbology, of) => {
    stood.current = input.current?.value ?? ''
    scan(code, symbology === undefined ? 'scanner' : 'camera', symbology, of)
  }
  useScans(takeScan, true, addBroken)
  useReadyField(input, 'first')
  const closeLooked = () => {
    setLooked(null)
    input.current?.focus({ preventScroll: true })
  }
  const onEscape = (event: KeyboardEvent) => {
    if (event.defaultPrevented || wasEscapeForOverlay()) return
    if (looked) closeLooked()
    else closeCard()
  }
  useHotkeys([['Escape', onEscape, { preventDefault: false }]], [])
  useEffect(
    () => void Promise.all([loadLaneList(), loadReaderCard(), loadDownload()]).catch(() => undefined),
    [],
  )

  const onOption = (line: LaneLine, option: LineOption, reason?: string) => {
    unlockSound()
    if (option === 'open-form') void doSheet.open(line)
    else if (option === 'export') void exportQueue(line)
    else happen({ what: 'option', key: line.key, option, reason })
    backToScanning()
  }
  const reader = proposed ?? chosen
  const card = reader ? (
    <Suspense fallback={<Skeleton className={styles['reader'] ?? ''} height="10rem" radius="lg" />}>
      <ReaderCard
        key={readerKey(reader)}
        chosen={reader}
        standing={proposed ? 'proposed' : presence}
        onConfirm={choose}
        onClose={closeCard}
      />
    </Suspense>
  ) : null
  const whole =
    sheet.keys.length === 0 ? null : (
      <LoanSheet
        key={sheet.id}
        lines={lines}
        keys={sheet.keys}
        here={presence === 'gone' ? null : chosen}
        isUnfolded={sheet.isUnfolded}
        onNews={doSheet.tell}
        onUnfold={doSheet.unfold}
        onKeep={doSheet.keep}
        onClose={() => void doSheet.close().then((isClosed) => isClosed && backToScanning())}
        onSaved={() => {
          doSheet.keep([])
          backToScanning()
        }}
      />
    )
  return (
    <div className={styles['counter']}>
      <div className={styles['main']}>
        <span ref={laneStart} className={styles['laneStart']} />
        <ScanBox
          inputRef={input}
          chosen={chosen}
          onCode={(code) => scan(code, 'fingers')}
          onReader={choose}
          onName={nameIntoLane}
          proposed={proposed}
          onPropose={(next) => {
            proposal.current = next
            happen({ what: 'propose', proposed: next?.chosen ?? null })
          }}
          onCopy={(copy) => {
            happen({ what: 'gesture' })
            setLooked(copy)
          }}
          onCamera={() => camera.open()}
          stood={stood}
          last={said}
          isLanePassed={isLanePassed}
        />
        {search.has('copy') ? <CopyOfAddress onFound={setLooked} /> : null}
        <Suspense fallback={null}>
          {looked ? (
            <LookedUpCopy
              key={looked.bar_code}
              copy={looked}
              find={find}
              reader={presence === 'gone' ? null : chosen}
              may={may}
              onLend={(bar_code, to) => happen({ what: 'lend', bar_code, to })}
              onReturn={(bar_code) => happen({ what: 'return', bar_code })}
              onClose={closeLooked}
            />
          ) : null}
        </Suspense>
        {/* Two equal sentences are two events: the key makes the second one read as well. */}
        <VisuallyHidden aria-live={said?.signal === 'refusal' ? 'assertive' : 'polite'}>
          <span key={said?.turn}>{said && wholeOf(said)}</span>
        </VisuallyHidden>
        {isDesktop ? null : card}
        <section aria-label="Passages au comptoir">
          {lines.length === 0 ? (
            isResuming ? (
              laneToCome
            ) : (
              <>
                <p className={styles['hint']}>
                  {inWords(
                    'Scannez une carte puis des exemplaires pour prêter, ou un exemplaire en prêt pour le rendre.',
                  )}
                </p>
                {/* On a phone and a tablet it comes along with the lists, over them. */}
                {isDesktop && !reader ? <Morning /> : null}
              </>
            )
          ) : (
            <Suspense fallback={laneToCome}>
              <LaneList
                lines={lines}
                named={isDesktop || !reader ? null : readerKey(reader)}
                most={isLong ? Infinity : shortLane}
                may={may}
                shown={sheet.isUnfolded ? sheet.keys : []}
                onOption={onOption}
                // Whatever is scanned meanwhile, its line stays in sight.
                onAsk={() => setLong(true)}
                onGiveUp={backToScanning}
                onRefused={doSheet.offer}
                onSetAside={({ key }, awaited, refused) => {
                  const isHere = document.activeElement?.closest(`[data-line="${key}"]`)
                  happen({ what: 'set-aside', key, awaited, refused })
                  if (isHere) backToScanning()
                }}
                onTakeBack={(line) => {
                  happen({ what: 'take-back', key: line.key })
                  backToScanning()
                }}
              />
            </Suspense>
          )}
          {!isLong && lines.length > shortLane ? (
            <Button variant="subtle" fullWidth mt="xs" onClick={() => setLong(true)}>
              Voir les passages précédents
            </Button>
          ) : null}
        </section>
        {isDesktop ? null : whole}
      </div>
      {isDesktop ? (
        <div className={styles['beside']}>
          {whole}
          {card ?? (whole ? null : due)}
        </div>
      ) : null}
      <Suspense fallback={null}>
        {camera.isOpen ? (
          <CameraSheet
            onScan={takeScan}
            onClose={camera.close}
            note={said && { ...said, text: wholeOf(said) }}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

const laneToCome = <Skeleton height="4rem" radius="lg" />

const exportQueue = async ({ step }: LaneLine) =>
  (await loadDownload()).downloadQueue(step.name === 'said' && step.unsaved ? [step.unsaved] : [])

const addBroken = () => happen({ what: 'broken' })

const closeCard = () =>
  happen(laneState().proposed ? { what: 'propose', proposed: null } : { what: 'close-reader' })
const choose = (chosen: LaneReader) => happen({ what: 'choose', chosen })

function useIsPassed(place: RefObject<Element | null>): boolean {
  const [isPassed, setPassed] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => setPassed(seen.at(-1)?.isIntersecting === false))
    if (place.current) watch.observe(place.current)
    return () => watch.disconnect()
  }, [place])
  return isPassed
}
