import { Button, Checkbox, Stack, Text, Title } from '@mantine/core'
import { IconBooks, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import type { Picked } from '../../contract/reservations.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { Cover } from '../ui/cover.tsx'
import { ScanLine } from '../ui/forms/scan-line.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { Page } from '../ui/page.tsx'
import { printOut } from '../ui/printing.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import AwaitedCopy from './awaited-copy.tsx'
import { type PickingRow, rowsOfWalk, shelvesOf } from './picking-rows.ts'
import styles from './picking.module.css'
import { ReservationTabs } from './reservation-tabs.tsx'
import { isJustBack, pickingQuery } from './shelf-data.ts'
import { usePicking } from './use-picking.ts'

const SeekInPicture = lazy(() => import('../shelf/seek-in-picture.tsx'))
const PickingSheet = lazy(() => import('./picking-sheet.tsx'))

const leaving = {
  title: 'Quitter sans attendre la réponse\u202f?',
  message: 'Des exemplaires scannés ne sont pas encore mis de côté.',
}

/** What is asked for and stands on the shelves of this site: fetched in one walk, and set aside by its scan. */
export default function PickingScreen() {
  const { data, error, refetch } = useQuery(pickingQuery)
  const today = useToday()
  const picking = usePicking()
  const { take, done, busy, tick, untick, notice, unanswered, again, isUnfinished } = picking
  const [most, setMost] = useState(shortWalk)
  const [isSeeking, setSeeking] = useState(false)
  const { isOpen } = useCameraAddress()
  useScans(take)
  useUnsavedGuard(isUnfinished, leaving)
  const rows = useWalk(membersOf(data), done)
  const left = rows.filter(({ is_done }) => !is_done)
  return (
    <Page
      title="À chercher en rayon"
      rest={[
        ...(left.length === 0
          ? []
          : [{ label: 'Chercher par l’image', Icon: IconBooks, onRun: () => setSeeking(true) }]),
        {
          label: 'Imprimer la liste',
          Icon: IconPrinter,
          onRun: () => printOut(<PickingSheet rows={left} />),
        },
      ]}
    >
      <ReservationTabs value="picking" />
      {data === undefined ? (
        <UnreadState error={error} onRetry={refetch} height="12rem" radius="lg" />
      ) : rows.length === 0 && notice === null && !isOpen ? (
        <EmptyState message="Rien à chercher en rayon&#8239;: aucun exemplaire disponible ici n’est réservé." />
      ) : (
        <Stack gap="md">
          <section className={`panel ${styles['scans']}`} aria-labelledby="picking">
            <div className={styles['head']}>
              <Title order={2} size="h4" id="picking">
                Scanner ce qui est pris en rayon
              </Title>
              <Text c="dimmed" role="status">
                {counted(
                  left.length,
                  'exemplaire à prendre',
                  'exemplaires à prendre',
                  'Tout est mis de côté',
                )}
              </Text>
            </div>
            <ScanLine
              label={inWords('Code-barres de ce qui est pris en rayon')}
              action="Mettre de côté"
              notice={notice}
              onCode={take}
            />
            <div aria-live="polite">
              {notice === null ? null : (
                <Text key={notice.text} c={inkOf[notice.signal]}>
                  {notice.text}
                </Text>
              )}
            </div>
            {unanswered.map((one) => (
              <div key={one.key} className={styles['head']}>
                <StatusTag tone="warn">{one.text}</StatusTag>
                <Button variant="default" onClick={() => again(one)}>
                  Réessayer
                </Button>
              </div>
            ))}
          </section>
          {shelvesOf(rows.slice(0, most)).map(({ key, name, rows: shelf }) => (
            <section key={key} className="panel" aria-label={name}>
              <Title order={2} size="h4">
                {name}
              </Title>
              <ul className={styles['rows']}>
                {shelf.map((row) => (
                  <Row
                    key={row.reservation}
                    row={row}
                    today={today}
                    isBusy={busy.has(row.reservation)}
                    onTick={() => (row.is_done ? untick(row) : tick(row))}
                  />
                ))}
              </ul>
            </section>
          ))}
          {rows.length > most ? (
            <Button variant="subtle" fullWidth onClick={() => setMost(most + shortWalk)}>
              {counted(rows.length - most, 'autre exemplaire', 'autres exemplaires')}
            </Button>
          ) : null}
        </Stack>
      )}
      {isSeeking ? (
        <Suspense fallback={null}>
          <SeekInPicture
            title="À chercher en rayon"
            sought={rows.map(soughtOf)}
            doneWord="Mis de côté"
            note={notice?.text}
            actsOf={({ bar_code }) => (
              <Button variant="default" onClick={() => take(bar_code)}>
                Mettre de côté
              </Button>
            )}
            onScan={take}
            onClose={() => setSeeking(false)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}

const soughtOf = ({ bar_code, reference_name, call_number, beneficiary_name, is_done }: PickingRow) => ({
  bar_code,
  name: reference_name,
  words: [call_number, `pour ${beneficiary_name}`].filter(Boolean).join(' · '),
  isDone: is_done,
})

const nothing: readonly Picked[] = []

/** The rows as they stand, each time from where they stood before. */
function useWalk(
  toFetch: readonly Picked[] = nothing,
  done: ReadonlyMap<number, Picked>,
): readonly PickingRow[] {
  const [walk, setWalk] = useState({ toFetch, done, rows: rowsOfWalk(toFetch, done, []) })
  if (walk.toFetch === toFetch && walk.done === done) return walk.rows
  const rows = rowsOfWalk(toFetch, done, walk.rows)
  setWalk({ toFetch, done, rows })
  return rows
}

/** As many as one walk brings. */
const shortWalk = 100

const inkOf = { success: 'var(--good-ink)', warning: 'var(--warn-ink)', refusal: 'var(--bad-ink)' } as const

type RowProps = { row: PickingRow; today: CalendarDay; isBusy: boolean; onTick: () => void }

function Row({ row, today, isBusy, onTick }: RowProps) {
  const { call_number, reference_name, bar_code, beneficiary_name, start_date, pickup_site, site } = row
  const elsewhere = pickup_site && pickup_site.id !== site.id ? pickup_site.name : null
  return (
    <li className={styles['row']} data-done={row.is_done || undefined}>
      <Checkbox
        checked={row.is_done}
        disabled={isBusy}
        onChange={onTick}
        aria-label={`${reference_name}, ${bar_code}, pour ${beneficiary_name}`}
        styles={{ body: { alignItems: 'center' }, labelWrapper: { flex: 1 } }}
        label={
          <span className={styles['faced']}>
            <Cover title={reference_name} medium={row.medium} image={row.image_path} />
            <span className={styles['what']}>
              <span>
                {call_number === null ? null : <strong className={styles['call']}>{call_number}</strong>}
                <strong>{reference_name}</strong>{' '}
                <Text span c="dimmed">
                  {bar_code}
                </Text>
              </span>
              {row.is_done ? null : (
                <span>
                  pour <ReaderName name={beneficiary_name} />
                  {start_date === null ? '' : `, à partir du ${frenchDay(start_date)}`}
                  {elsewhere === null ? '' : `, à envoyer à ${elsewhere}`}
                  {isJustBack(row, today) ? ` · rendu le ${frenchDay(row.returned_on, today)}` : ''}
                </span>
              )}
            </span>
          </span>
        }
      />
      {row.is_done ? (
        <AwaitedCopy
          of={`picked ${row.reservation}`}
          copy={row.copy}
          bar_code={bar_code}
          title={reference_name}
          awaited={{ id: row.reservation, name: beneficiary_name, site: pickup_site, is_set_aside: true }}
          isRecorded
          hasUndo={false}
        />
      ) : null}
    </li>
  )
}
