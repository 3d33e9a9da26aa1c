import { Button } from '@mantine/core'
import { useState } from 'react'

import { lazyPart } from './lazy-part.tsx'
import type { MotiveAsked } from './motive-field.tsx'

const MotiveField = lazyPart(() => import('./motive-field.tsx'))

type MotiveActProps = MotiveAsked & {
  /** The button's name, where several stand on one screen. */
  name?: string
  isUnderWay?: boolean
  onConfirm: (motive: string) => void
  /** A person gave it up. */
  onGiveUp?: () => void
}

/** An act that passes over a rule: its motive is asked in its place, and scans go on meanwhile. */
export function MotiveAct({ name, isUnderWay = false, onConfirm, onGiveUp, ...asked }: MotiveActProps) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked) {
    return (
      <MotiveField
        {...asked}
        onConfirm={(motive) => {
          setAsked(false)
          onConfirm(motive)
        }}
        onClose={() => {
          setAsked(false)
          onGiveUp?.()
        }}
      />
    )
  }
  return (
    <Button
      variant="default"
      px="sm"
      aria-label={name ?? asked.act}
      loading={isUnderWay}
      onClick={() => setAsked(true)}
    >
      {asked.act}
    </Button>
  )
}
