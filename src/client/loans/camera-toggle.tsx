import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { unlockSound } from '../scanner/scan-feedback.ts'
import { useSubmitScan } from '../scanner/scan-source.tsx'
import { LoadingBlock } from '../ui/loading-text.tsx'
import type { Notice } from './counter-notice.tsx'

const CameraPanel = lazy(async () => ({ default: (await import('../scanner/camera-panel.tsx')).CameraPanel }))

/** Opens the camera in the page; what it reads goes where every scan goes. */
export function CameraToggle({ notice }: { notice: Notice | null }) {
  const submit = useSubmitScan()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    return (
      <Suspense fallback={<LoadingBlock height="12rem" />}>
        <CameraPanel onScan={submit} onClose={() => setOpen(false)} note={notice ?? undefined} />
      </Suspense>
    )
  }
  return (
    <Button
      variant="default"
      leftSection={<IconCamera size="1.2em" aria-hidden />}
      onClick={() => {
        unlockSound()
        setOpen(true)
      }}
    >
      Scanner avec la caméra
    </Button>
  )
}
