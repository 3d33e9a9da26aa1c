import { frenchDay } from '../../domain/calendar-day.ts'
import { code128 } from '../../domain/code-128.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { useEnvironment } from '../session/environment-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import styles from './reservation-slip.module.css'

/** Ten modules on each side stay white, or scanners miss the code (ISO/IEC 15417). */
const quiet = 10

/** A code as Code 128 and in figures; the figures alone where it has signs without bars. */
function BarCode({ text }: { text: string }) {
  const widths = code128(text)
  return (
    <figure className={styles['code']}>
      {widths === null ? null : <Bars widths={widths} />}
      <figcaption>{text}</figcaption>
    </figure>
  )
}

function Bars({ widths }: { widths: readonly number[] }) {
  const bars: { x: number; width: number }[] = []
  let x = quiet
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) bars.push({ x, width })
    x += width
  }
  return (
    <svg viewBox={`0 0 ${x + quiet} 1`} preserveAspectRatio="none" shapeRendering="crispEdges" aria-hidden>
      {bars.map((bar) => (
        <rect key={bar.x} x={bar.x} y={0} width={bar.width} height={1} />
      ))}
    </svg>
  )
}

/** What stands on the slip in a copy that is set aside. */
export type Slip = {
  name: string
  title: string
  bar_code: string
  /** Where it is fetched. */
  site: string | null
  until: string | null
}

/** Put into a copy on the shelf of those that wait: for whom it is, since when and until when. */
export default function ReservationSlip({ slips }: { slips: readonly Slip[] }) {
  const { data: environment, isLoading } = useEnvironment()
  const isMultisite = useIsMultisite()
  const today = useToday()
  // A slip is cut to what stands on it: all of it is known first.
  if (isLoading) return null
  const [first] = slips
  return (
    <PrintSheet
      paper="slip"
      title={slips.length === 1 && first ? `Réservation, ${first.name}` : inWords('Réservations')}
    >
      {slips.map(({ name, title, bar_code, site, until }) => (
        <section key={bar_code} className={styles['slip']}>
          <p>{[environment?.name, frenchDay(today)].filter(Boolean).join(' · ')}</p>
          <h1 className={styles['name']}>{name}</h1>
          <p className={styles['title']}>{title}</p>
          {until === null ? null : (
            <p>
              À retirer jusqu’au <strong>{frenchDay(until)}</strong>
            </p>
          )}
          {isMultisite && site !== null ? (
            <p>
              À retirer à <strong>{site}</strong>
            </p>
          ) : null}
          <BarCode text={bar_code} />
        </section>
      ))}
    </PrintSheet>
  )
}
