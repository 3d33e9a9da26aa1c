import { ActionIcon, Alert, Button, Group, Slider, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Slider.css'
import { IconBulb, IconCameraRotate } from '@tabler/icons-react'
import { useState } from 'react'

import classes from './camera-panel.module.css'
import type { CameraProblem } from './camera-problems.ts'
import type { OpenCamera } from './camera-reader.ts'
import { cameraSentences } from './camera-session.ts'

const tall = { mih: 44, px: 'sm' } as const
const round = { size: 44, radius: 'xl' } as const

interface CameraFailureProps {
  problem: CameraProblem
  onRetry: () => void
  /** Null without another camera. */
  onSwitch: (() => void) | null
  /** What can be done without a camera. */
  otherwise?: string
  /** Why nothing is read, and what to do, where no engine runs. */
  noEngine?: string
}

// Asking again cannot change these.
const lasting: ReadonlySet<CameraProblem> = new Set(['insecure', 'no_engine'])

/** Why there is no picture, and what may be tried. */
export function CameraFailure({
  problem,
  onRetry,
  onSwitch,
  otherwise = 'Vous pouvez aussi photographier le code ou le saisir au clavier.',
  noEngine = cameraSentences.no_engine,
}: CameraFailureProps) {
  return (
    <Alert color="red" title="La caméra ne s’affiche pas" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text>{problem === 'no_engine' ? noEngine : cameraSentences[problem]}</Text>
        {problem !== 'no_engine' && <Text>{otherwise}</Text>}
        {!lasting.has(problem) && (
          <Group gap="sm">
            <Button {...tall} variant="default" onClick={onRetry}>
              Réessayer
            </Button>
            {onSwitch && (
              <Button {...tall} variant="default" onClick={onSwitch}>
                Changer de caméra
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Lamp, other camera and zoom, where the camera has them; over the picture. */
export function CameraSettings({ camera, onSwitch }: { camera: OpenCamera; onSwitch: () => void }) {
  const { zoom } = camera
  const [torch, setTorch] = useState(false)

  const toggleTorch = (): void => {
    camera.setTorch(!torch).then(
      () => setTorch(!torch),
      () => {
        // The lamp stays as it is, and so does the button.
      },
    )
  }

  return (
    <>
      <div className={classes['corner']}>
        {camera.hasTorch && (
          <ActionIcon
            {...round}
            variant={torch ? 'filled' : 'default'}
            aria-label="Lampe"
            aria-pressed={torch}
            onClick={toggleTorch}
          >
            <IconBulb aria-hidden />
          </ActionIcon>
        )}
        {camera.canSwitch && (
          <ActionIcon {...round} variant="default" aria-label="Changer de caméra" onClick={onSwitch}>
            <IconCameraRotate aria-hidden />
          </ActionIcon>
        )}
      </div>
      {zoom !== null && (
        <Slider
          className={classes['zoom']}
          thumbSize={44}
          thumbLabel="Zoom"
          label={(value) => `× ${value.toLocaleString('fr-FR', { maximumFractionDigits: 1 })}`}
          min={zoom.min}
          max={zoom.max}
          step={zoom.step || 0.1}
          defaultValue={zoom.min}
          onChange={(value) => void camera.setZoom(value)}
        />
      )}
    </>
  )
}
