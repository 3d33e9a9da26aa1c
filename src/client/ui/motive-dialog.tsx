import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Act } from './dialog.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useLocalForm } from './use-local-form.ts'

type MotiveDialogProps = {
  /** Says the act: the dialog's title and its button. */
  act: string
  acts: Act
  /** Shown when the motive is missing. */
  missing: string
  children: ReactNode
  onConfirm: (motive: string) => unknown
  onClose: () => void
}

/**
 * An act that is kept with the motive of whoever decided it. Rendered while open. It begins in the motive: nothing is confirmed as long as
 * that is empty, and Enter there is a new line.
 */
export function MotiveDialog({ act, acts, missing, children, onConfirm, onClose }: MotiveDialogProps) {
  const form = useLocalForm({
    initial: { motive: '' },
    check: ({ motive }) => (motive.trim() === '' ? { motive: missing } : {}),
    act: ({ motive }) => onConfirm(motive.trim()),
  })
  return (
    <FormDialog title={act} form={form} acts={acts} submitLabel={act} onClose={onClose}>
      {children}
      <Textarea required maxLength={500} data-autofocus {...form.text('motive', 'Motif')} />
    </FormDialog>
  )
}
