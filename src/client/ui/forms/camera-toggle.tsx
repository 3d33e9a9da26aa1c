import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { useRight } from '../../api/session.ts'
import type { ScanSignal } from '../../scanner/scan-feedback.ts'
import { submitScan } from '../../scanner/scan-source.tsx'
import { useCameraAddress } from '../../scanner/use-camera-address.ts'
import styles from './camera-toggle.module.css'
import { LoadingBlock } from '../loading-text.tsx'
import { useIsPhone } from '../screen-width.ts'

const CameraPanel = lazy(async () => ({
  default: (await import('../../scanner/camera-panel.tsx')).CameraPanel,
}))

/** Opens the camera in the page; on a phone, « Scanner » of the bar below does it instead. */
export function CameraToggle({ notice }: { notice: { signal: ScanSignal; text: string } | null }) {
  const camera = useCameraAddress()
  const isPhone = useIsPhone()
  const isInBar = useRight('LOANING_ADD', 'LOANING_RETURN')
  const place = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  useEffect(() => {
    // The bar below is in reach wherever the page was scrolled to.
    if (camera.isOpen) place.current?.scrollIntoView({ block: 'nearest' })
  }, [camera.isOpen, key])
  if (camera.isOpen) {
    return (
      <div ref={place} className={styles['camera']}>
        <Suspense fallback={<LoadingBlock height="12rem" />}>
          <CameraPanel onScan={submitScan} onClose={camera.close} note={notice ?? undefined} />
        </Suspense>
      </div>
    )
  }
  if (isPhone && isInBar) return null
  return (
    <Button
      variant="default"
      leftSection={<IconCamera size="1.2em" aria-hidden />}
      onClick={() => camera.open()}
    >
      Scanner avec la caméra
    </Button>
  )
}
