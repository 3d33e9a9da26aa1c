import { QRCodeDecoderErrorCorrectionLevel, QRCodeEncoder } from '@zxing/library'
import { useMemo } from 'react'

import styles from './second-factor.module.css'

/** Modules of white around it, without which cameras do not find it. */
const margin = 4

/** Black on white in either colour scheme, as cameras want it. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className={styles['qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawn(text: string): { size: number; path: string } {
  const rows = QRCodeEncoder.encode(text, QRCodeDecoderErrorCorrectionLevel.M).getMatrix().getArray()
  const path = rows
    .flatMap((row, y) =>
      Array.from(row, (isDark, x) => (isDark === 1 ? `M${x + margin} ${y + margin}h1v1h-1z` : '')),
    )
    .join('')
  return { size: rows.length + 2 * margin, path }
}
