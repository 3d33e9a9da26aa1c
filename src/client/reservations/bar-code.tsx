import { code128 } from '../../domain/code-128.ts'
import styles from './reservation-slip.module.css'

/** Ten modules on each side stay white, or scanners miss the code (ISO/IEC 15417). */
const quiet = 10

/** A code as Code 128 and in figures; the figures alone where it has signs without bars. */
export function BarCode({ text }: { text: string }) {
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
