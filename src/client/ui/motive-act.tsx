import { Button } from '@mantine/core'
import { useState } from 'react'

import { lazyPart } from './lazy-part.tsx'

const MotiveField = lazyPart(() => import('./motive-field.tsx'))

export type MotiveAsked = {
  act: string
  /** What it is done to. */
  of: string
  /** The motive to begin with, such as the one just given for another copy. */
  motive?: string | undefined
}

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
