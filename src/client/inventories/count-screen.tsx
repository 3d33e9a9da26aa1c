import { Alert, Button, Group, Progress, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Progress.css'
import {
  IconBooks,
  IconCamera,
  IconCameraOff,
  IconChartBar,
  IconKeyboard,
  IconListCheck,
  IconPlayerPause,
} from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'

import { frenchNumber } from '../../domain/french-number.ts'
import { useConnection } from '../api/connection.ts'
import { inWords } from '../page/house-words.ts'
import { keepAwake } from '../page/keep-awake.ts'
import { askForStream } from '../scanner/camera-ahead.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import { type ScanHandler, useScans, submitScan } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { useIsDesktop } from '../ui/screen-width.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { ago, counted } from '../ui/words.ts'
import styles from './count.module.css'
import type { Count } from './count.ts'
import { toInventories } from './inventory-data.ts'
import { addressOfInventory, isOver, isRemoved } from './inventory-words.ts'
import { LastScan, noteOf } from './last-scan.tsx'
import type { Loading } from './load-count.ts'
import { ScanLane } from './scan-lane.tsx'
import { SendState } from './send-state.tsx'
import { ShelfCard } from './shelf-card.tsx'
import { useCountView, useFreshCount, useOpenCount } from './use-count.ts'
import { useSetStatus } from './use-set-status.ts'

/** For a label that nothing reads. */
function CodeField() {
  const [code, setCode] = useState('')
  const give = () => {
    if (code.trim() === '') return
    submitScan(code)
    setCode('')
  }
  return (
    <Group gap="sm" wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={inWords('Code-barres')}
        placeholder={inWords('Code-barres à la main')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-scan-box
        enterKeyHint="done"
        maxLength={100}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give()
        }}
      />
      <Button variant="default" onClick={give}>
        Compter
      </Button>
    </Group>
  )
}

const CameraPanel = lazy(async () => ({ default: (await import('../scanner/camera-panel.tsx')).CameraPanel }))
const ShelfCount = lazy(() => import('./shelf-count.tsx'))
const ShelfSheet = lazy(() => import('./shelf-sheet.tsx'))
const TickSheet = lazy(() => import('./tick-sheet.tsx'))

const whilePaused =
  'L’inventaire est suspendu\u202f: touchez «\u00a0Reprendre\u00a0», puis scannez de nouveau.'
const whileOver = 'L’inventaire est terminé.'

/** Where one counts, with or without a network. */
export default function CountScreen() {
  const id = Number(useParams()['inventory_id'])
  return <OpenCount key={id} id={id} />
}

function OpenCount({ id }: { id: number }) {
  const { opened, retry } = useOpenCount(id)
  if (opened.kind === 'ready') return <Counting count={opened.count} />
  return (
    <Page title="Inventaire">
      {opened.kind === 'failed' ? (
        <ErrorState error={opened.error} onRetry={retry} lead={toInventories} />
      ) : opened.kind === 'offline' ? (
        <EmptyState
          message={
            'Hors ligne\u202f: cet inventaire n’a pas été ouvert sur cet appareil. Ouvrez-le une fois avec le réseau, et il se comptera partout.'
          }
          action={
            <Button component={Link} to={toInventories.to} variant="default">
              {inWords(toInventories.label)}
            </Button>
          }
        />
      ) : opened.kind === 'loading' ? (
        <LoadingCopies loading={opened.loading} />
      ) : (
        <LoadingBlock height="20rem" />
      )}
    </Page>
  )
}

function LoadingCopies({ loading }: { loading: Loading | null }) {
  const { done = 0, total = 0 } = loading ?? {}
  return (
    <div className="panel" role="status">
      <Text fw={600}>Préparation de cet appareil</Text>
      <Text mb="sm">
        {loading === null
          ? inWords('Les exemplaires arrivent, pour compter aussi sans réseau.')
          : `${frenchNumber(done)} exemplaires sur ${frenchNumber(total)}`}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={inWords('Exemplaires chargés')} />
    </div>
  )
}

function Counting({ count }: { count: Count }) {
  useFreshCount(count)
  const view = useCountView(count)
  const { loaded } = view
  const camera = useCameraAddress()
  const navigate = useNavigate()
  const [isTyping, setTyping] = useState(useIsDesktop())
  const [sheet, setSheet] = useState<'shelf' | 'tick' | 'picture' | null>(null)
  const { isResumed, pause, resume } = usePause(loaded)
  const over = isOver(loaded)
  const isPaused = loaded.status === 'paused' && !isResumed
  const mayCount = !over && !isPaused
  // Only the camera knows which kind of bars it read.
  const take: ScanHandler = (code, symbology) =>
    mayCount
      ? void count.scan(code, symbology === undefined ? 'scanner' : 'camera', symbology)
      : count.refuse(code, over ? whileOver : whilePaused)
  useScans(take)
  useEffect(() => keepAwake(), [])
  const { isOpen } = camera
  return (
    <Page
      title={loaded.name}
      isNamed
      part="Comptage"
      rest={[
        ...(mayCount ? [{ label: 'Suspendre', Icon: IconPlayerPause, onRun: pause }] : []),
        {
          label: 'Avancement et suites',
          Icon: IconChartBar,
          onRun: () => void navigate(addressOfInventory(loaded)),
        },
      ]}
    >
      <div className={styles['count']} onPointerDown={unlockSound}>
        <div className={styles['tools']}>
          {isRemoved(loaded) ? (
            <Alert color="yellow" title={inWords('Cet inventaire est supprimé')}>
              {inWords(
                'Ce qui n’est pas parti d’ici ne peut plus l’être. Téléchargez-le, puis effacez l’inventaire de cet appareil depuis «\u00a0Inventaires\u00a0».',
              )}
            </Alert>
          ) : over ? (
            <Alert color="yellow" title={inWords('Cet inventaire est terminé')}>
              Ce qui a été scanné ici avant sa fin part encore, et sera dit en retard.
            </Alert>
          ) : null}
          {isPaused ? (
            <Alert color="yellow" title={inWords('Inventaire suspendu')}>
              Rien de ce qui est scanné n’est compté tant qu’il n’est pas repris.
              <Group mt="sm">
                <Button onClick={resume}>Reprendre</Button>
              </Group>
            </Alert>
          ) : null}
          <ShelfCard view={view} onOpen={() => setSheet('shelf')} />
          <LastScan view={view} />
          {mayCount ? (
            <div className={styles['ways']}>
              <Button
                variant={isOpen ? 'default' : 'filled'}
                leftSection={
                  isOpen ? (
                    <IconCameraOff size="1.3rem" aria-hidden />
                  ) : (
                    <IconCamera size="1.3rem" aria-hidden />
                  )
                }
                onClick={() => (isOpen ? camera.close() : camera.open())}
              >
                {isOpen ? 'Fermer' : 'Caméra'}
              </Button>
              <Button
                variant="default"
                leftSection={<IconBooks size="1.3rem" aria-hidden />}
                title="Photographier l’étagère"
                onClick={() => {
                  // Two would fight for the camera.
                  if (isOpen) camera.close()
                  else askForStream()
                  setSheet('picture')
                }}
              >
                Étagère
              </Button>
              <Button
                variant="default"
                leftSection={<IconListCheck size="1.3rem" aria-hidden />}
                title="Cocher dans la liste"
                onClick={() => setSheet('tick')}
              >
                Cocher
              </Button>
              <Button
                variant="default"
                leftSection={<IconKeyboard size="1.3rem" aria-hidden />}
                title={inWords('Saisir un code-barres')}
                aria-expanded={isTyping}
                onClick={() => setTyping(!isTyping)}
              >
                Saisir
              </Button>
            </div>
          ) : null}
          {isTyping && mayCount ? <CodeField /> : null}
          {isOpen ? (
            <Suspense fallback={<LoadingBlock height="12rem" />}>
              <CameraPanel onScan={submitScan} onClose={camera.close} note={noteOf(view)} />
            </Suspense>
          ) : null}
          <div>
            <SendState view={view} />
            <ReadyLine count={loaded.copies} at={loaded.loaded_at} />
          </div>
        </div>
        <div className={styles['passed']}>
          <ScanLane count={count} view={view} />
        </div>
      </div>
      <Suspense fallback={null}>
        {sheet === 'shelf' ? (
          <ShelfSheet
            view={view}
            onChoose={(one) => void count.chooseShelf(one)}
            onScan={(code, symbology) => {
              take(code, symbology)
              setSheet(null)
            }}
            onClose={() => setSheet(null)}
          />
        ) : null}
        {/* Once the camera's step has left the history, else it would take the sheet's with it. */}
        {sheet === 'picture' && !isOpen ? (
          <ShelfCount
            count={count}
            view={view}
            stopped={mayCount ? null : over ? whileOver : whilePaused}
            onScan={take}
            onSingle={() => {
              setSheet(null)
              camera.open()
            }}
            onClose={() => setSheet(null)}
          />
        ) : null}
        {sheet === 'tick' ? (
          <TickSheet
            key={loaded.shelf}
            count={count}
            view={view}
            onScan={take}
            onClose={() => setSheet(null)}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function ReadyLine({ count, at }: { count: number; at: string | null }) {
  return (
    <Text size="sm" c="dimmed">
      Utilisable hors ligne&#8239;: {counted(count, 'exemplaire', 'exemplaires')}
      {at === null ? '' : `, ${ago(at)}`}
    </Text>
  )
}

/** Taken up again here at once; everybody else hears of it when the server does. */
function usePause(loaded: { id: number; status: string }) {
  const isOnline = useConnection() === 'online'
  const [isResumed, setResumed] = useState(false)
  const setStatus = useSetStatus(loaded.id)
  const { status } = loaded
  useEffect(() => {
    if (status !== 'paused') setResumed(false)
  }, [status])
  const isToTell = isResumed && isOnline && status === 'paused'
  const tell = useEffectEvent(() => setStatus('open'))
  // The other devices follow the server, which hears of it once there is a network.
  useEffect(() => {
    if (isToTell) tell()
  }, [isToTell])
  return {
    isResumed,
    pause: () => {
      setResumed(false)
      setStatus('paused')
    },
    resume: () => setResumed(true),
  }
}
