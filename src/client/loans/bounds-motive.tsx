import { Textarea } from '@mantine/core'
import { useState } from 'react'

import { CallError } from '../api/call-error.ts'
import { useRight } from '../api/session.ts'
import type { Form } from '../ui/forms/use-fields.ts'

type BoundsMotiveProps = {
  form: Pick<Form<'override_reason'>, 'text'>
  /** What the server answered. */
  errors: readonly unknown[]
}

/** Asks the motive for terms that the server refused as beyond the bounds. */
export function BoundsMotive({ form, errors }: BoundsMotiveProps) {
  const mayOverride = useRight('LOANING_OVERRIDE')
  const [isAsked, setAsked] = useState(false)
  if (!isAsked && mayOverride && errors.some(isBeyondBounds)) setAsked(true)
  if (!isAsked) return null
  return (
    <Textarea
      minRows={1}
      maxLength={500}
      {...form.text('override_reason', 'Motif pour dépasser la limite')}
    />
  )
}

const isBeyondBounds = (error: unknown): boolean =>
  error instanceof CallError && error.reason === 'BEYOND_BOUNDS'
