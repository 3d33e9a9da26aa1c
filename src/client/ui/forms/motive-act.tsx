import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { lazyPart } from '../lazy-part.tsx'
import type { MotiveAsked } from './motive-field.tsx'

const MotiveField = lazyPart(() => import('./motive-field.tsx'))

type MotiveActProps = MotiveAsked & {
  /** The button's name, where several stand on one screen. */
  name?: string
  isUnderWay?: boolean
  onConfirm: (motive: string) => void
  onAsk?: () => void
  /** A person gave it up; unless given, the focus comes back to the button. */
  onGiveUp?: () => void
}

/** An act that passes over a rule: its motive is asked in its place, and scans go on meanwhile. */
export function MotiveAct({
  name,
  isUnderWay = false,
  onConfirm,
  onAsk,
  onGiveUp,
  ...asked
}: MotiveActProps) {
  const [isAsked, setAsked] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (isAsked) {
    return (
      <MotiveField
        {...asked}
        onConfirm={(motive) => {
          setAsked(false)
          onConfirm(motive)
        }}
        onClose={() => {
          // The button has to be there before it takes the focus back.
          flushSync(() => setAsked(false))
          if (onGiveUp) onGiveUp()
          else button.current?.focus()
        }}
      />
    )
  }
  return (
    <Button
      ref={button}
      variant="default"
      px="sm"
      aria-label={name ?? asked.act}
      loading={isUnderWay}
      onClick={() => {
        setAsked(true)
        onAsk?.()
      }}
    >
      {asked.act}
    </Button>
  )
}
