import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

import { unlockSound } from '../scanner/scan-feedback.ts'
import { useSubmitScan } from '../scanner/scan-source.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { LoadingBlock } from '../ui/loading-text.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import styles from './counter.module.css'
import type { Notice } from './counter-notice.tsx'

const CameraPanel = lazy(async () => ({ default: (await import('../scanner/camera-panel.tsx')).CameraPanel }))

/** Opens the camera in the page; on a phone, « Scanner » of the bar below does it instead. */
export function CameraToggle({ notice }: { notice: Notice | null }) {
  const submit = useSubmitScan()
  const camera = useCameraAddress()
  const isPhone = useIsPhone()
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
          <CameraPanel onScan={submit} onClose={camera.close} note={notice ?? undefined} />
        </Suspense>
      </div>
    )
  }
  if (isPhone) return null
  return (
    <Button
      variant="default"
      leftSection={<IconCamera size="1.2em" aria-hidden />}
      onClick={() => {
        unlockSound()
        camera.open()
      }}
    >
      Scanner avec la caméra
    </Button>
  )
}
