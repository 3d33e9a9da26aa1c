import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useId, useLayoutEffect, useRef } from 'react'

import { frenchNumber } from '../../domain/french-number.ts'
import { inWords } from '../page/house-words.ts'
import styles from './stats.module.css'

type Series = { name: string; values: readonly number[] }
export type BarPoint = { key: string; title: string; tick: string }

type BarsProps = {
  /** Its essence in a sentence. */
  label: string
  points: readonly BarPoint[]
  /** One or two: the second is hatched. */
  series: readonly Series[]
}

const height = 240
const top = 20
const foot = 28
const axisWidth = 48
// So that a year of weeks needs no scrolling on a desktop.
const narrowestBar = 6
const widestBar = 40
const roomOfTick = 56

/** Bars a day, a week or a month; what has no room is scrolled, from the last ones, which are what people came for. */
export function Bars({ label, points, series }: BarsProps) {
  const hatch = useId()
  const { ref: measured, width: room } = useElementSize()
  const frame = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(measured, frame)
  const narrowest = narrowestBar * series.length + 6
  const step = Math.max(narrowest, room / points.length)
  const width = step * points.length
  const bar = Math.min(widestBar, (step - 6) / series.length)
  const { highest, lines } = scaleOf(Math.max(0, ...series.flatMap(({ values }) => values)))
  const yOf = (value: number) => height - foot - (value / highest) * (height - foot - top)
  const everyTick = Math.ceil(roomOfTick / step)
  // Rounding must not bring a scroll bar that nothing needs.
  const isScrolled = room > 0 && width > room + 1
  const last = points.at(-1)?.key
  useLayoutEffect(() => {
    if (isScrolled && frame.current) frame.current.scrollLeft = frame.current.scrollWidth
  }, [isScrolled, last])
  return (
    <div>
      <ul className={styles['legend']} aria-hidden>
        {series.map(({ name }, at) => (
          <li key={name}>
            <svg width="16" height="16">
              <rect x="1" y="1" width="14" height="14" {...looks(at, hatch)} />
            </svg>
            {inWords(name)}
          </li>
        ))}
      </ul>
      <div className={styles['bars']}>
        <svg width={axisWidth} height={height} aria-hidden>
          {lines.map((line) => (
            <text key={line} x={axisWidth - 8} y={yOf(line)} textAnchor="end" dominantBaseline="central">
              {frenchNumber(line)}
            </text>
          ))}
        </svg>
        <div
          ref={ref}
          className={styles['scroll']}
          {...(isScrolled
            ? { tabIndex: 0, role: 'region', 'aria-label': 'Le graphique, à faire défiler' }
            : {})}
        >
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={label}
          >
            <Hatch id={hatch} />
            {lines.map((line) => (
              <line key={line} x1="0" x2={width} y1={yOf(line)} y2={yOf(line)} />
            ))}
            {points.map(({ key, title, tick }, at) => (
              <g key={key} transform={`translate(${(at * step).toFixed(2)} 0)`}>
                <title>{`${title}\u202f: ${series.map(({ name, values }) => `${inWords(name)} ${values[at] ?? 0}`).join(', ')}`}</title>
                <rect x="0" y={top} width={step} height={height - foot - top} fill="transparent" />
                {series.map(({ name, values }, of) => (
                  <rect
                    key={name}
                    x={(step - bar * series.length) / 2 + bar * of}
                    y={yOf(values[at] ?? 0)}
                    width={bar - 1}
                    height={height - foot - yOf(values[at] ?? 0)}
                    {...looks(of, hatch)}
                  />
                ))}
                {at % everyTick === 0 ? (
                  <text x={step / 2} y={height - 8} textAnchor={at === 0 && step < 40 ? 'start' : 'middle'}>
                    {tick}
                  </text>
                ) : null}
              </g>
            ))}
          </svg>
        </div>
      </div>
    </div>
  )
}

const looks = (series: number, hatch: string) => ({
  className: styles['bar'],
  'data-series': series,
  ...(series === 0 ? {} : { fill: `url(#${hatch})` }),
})

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect className={styles['hatchGround']} width="5" height="5" />
      <rect className={styles['hatchLine']} width="2" height="5" />
    </pattern>
  )
}

/** Whole numbers at most four lines apart, the last one over everything. */
function scaleOf(most: number): { highest: number; lines: readonly number[] } {
  const rough = Math.max(1, most / 4)
  const power = 10 ** Math.floor(Math.log10(rough))
  const apart = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const count = Math.max(1, Math.ceil(most / apart))
  return { highest: count * apart, lines: Array.from({ length: count + 1 }, (_, at) => at * apart) }
}
