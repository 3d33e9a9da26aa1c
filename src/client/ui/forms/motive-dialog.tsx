import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

import type { ForGood } from '../dialogs/dialog.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useLocalForm } from './use-local-form.ts'

type MotiveDialogProps = {
  act: string
  /** What it is done to. */
  of: string
  /** The act's name unless given. */
  title?: string
  label?: string
  /** The motive to begin with, such as the one just given for another copy. */
  motive?: string | undefined
  cancelLabel?: string
  acts: ForGood
  missing: string
  children: ReactNode
  onConfirm: (motive: string) => unknown
  isOpen?: boolean
  onClose: () => void
}

/** Asks the motive that is recorded with an act; rendered while open, and Enter is a new line in it. */
export function MotiveDialog({
  act,
  of,
  title = act,
  label = 'Motif',
  motive: before = '',
  missing,
  children,
  onConfirm,
  ...dialog
}: MotiveDialogProps) {
  const form = useLocalForm({
    about: `${title} ${of}`,
    initial: { motive: before },
    check: ({ motive }) => (motive.trim() === '' ? { motive: missing } : {}),
    act: ({ motive }) => onConfirm(motive.trim()),
  })
  return (
    <FormDialog title={title} form={form} submitLabel={act} {...dialog}>
      {children}
      <Textarea required maxLength={500} data-autofocus {...form.text('motive', label)} />
    </FormDialog>
  )
}
