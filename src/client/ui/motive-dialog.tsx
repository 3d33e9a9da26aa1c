import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type MotiveDialogProps = {
  /** Says the act: the dialog's title and its button. */
  act: string
  /** Shown when the motive is missing. */
  missing: string
  children: ReactNode
  onConfirm: (motive: string) => void
  onClose: () => void
}

/** An act that is kept with the motive of whoever decided it. Rendered while open. */
export function MotiveDialog({ act, missing, children, onConfirm, onClose }: MotiveDialogProps) {
  const [motive, setMotive] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <Modal opened onClose={onClose} title={act}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (motive.trim() === '') setMissing(true)
          else onConfirm(motive.trim())
        }}
      >
        <Stack>
          {children}
          <Textarea
            label="Motif"
            required
            maxLength={500}
            value={motive}
            onChange={(event) => {
              setMotive(event.currentTarget.value)
              setMissing(false)
            }}
            error={isMissing ? missing : null}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Annuler
            </Button>
            <Button type="submit">{act}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
