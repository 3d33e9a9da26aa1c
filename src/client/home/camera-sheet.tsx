import '@mantine/core/styles/Drawer.css'
import '@mantine/core/styles/Slider.css'

import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

import type { Symbology } from '../../domain/bar-code.ts'
import { CameraPanel } from '../scanner/camera-panel.tsx'
import type { ScanSignal } from '../scanner/scan-feedback.ts'

type CameraSheetProps = {
  onScan: (text: string, symbology: Symbology) => void
  onClose: () => void
  note: { signal: ScanSignal; text: string } | null
}

/** The camera, in a sheet: from below where the screen is narrow, beside the lane where there is room for both. */
export default function CameraSheet({ onScan, onClose, note }: CameraSheetProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const isNarrow = useMediaQuery('(max-width: 1023px)', window.innerWidth < 1024)
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Scanner"
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '62dvh' : '26rem'}
      withOverlay={isPhone}
      lockScroll={isPhone}
    >
      <CameraPanel onScan={onScan} onClose={onClose} note={note ?? undefined} />
    </Drawer>
  )
}
