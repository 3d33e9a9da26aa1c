import { useMediaQuery } from '@mantine/hooks'

import { CameraPanel } from '../scanner/camera-panel.tsx'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { type ScanHandler, submitScan } from '../scanner/scan-source.tsx'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { useIsPhone } from '../ui/screen-width.ts'

type CameraSheetProps = {
  /** Gets every scan, of the camera or not, unless a dialog stands above. */
  onScan: ScanHandler
  onClose: () => void
  note: { signal: ScanSignal; text: string } | null
}

export default function CameraSheet({ onScan, onClose, note }: CameraSheetProps) {
  const isPhone = useIsPhone()
  const isNarrow = useMediaQuery('(max-width: 1023px)', window.innerWidth < 1024)
  return (
    <Sheet
      onClose={onClose}
      onScan={onScan}
      title="Scanner"
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '62dvh' : '26rem'}
      withOverlay={isPhone}
      lockScroll={isPhone}
      data-scanning
    >
      <CameraPanel onScan={submitScan} onClose={onClose} note={note ?? undefined} />
    </Sheet>
  )
}
