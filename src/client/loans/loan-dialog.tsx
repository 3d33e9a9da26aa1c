import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type LoanDialogProps = {
  title: string
  /** What the dialog is about, and whose it is. */
  loan: { reference_name: string; beneficiary_info: string }
  onClose: () => void
  onSubmit: () => void
  isPending: boolean
  /** A refusal that belongs to no field. */
  error?: string | null
  submitLabel?: string
  children: ReactNode
}

/** A small form about one loan. Enter saves, Escape closes; it stays open with its sentence when the server refuses. */
export function LoanDialog({
  title,
  loan,
  onClose,
  onSubmit,
  isPending,
  error,
  submitLabel,
  children,
}: LoanDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A double tap sends once.
          if (!isPending) onSubmit()
        }}
      >
        <Stack>
          <div>
            <Text fw={600}>{loan.reference_name}</Text>
            <Text c="dimmed">{loan.beneficiary_info}</Text>
          </div>
          {children}
          {error ? (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Annuler
            </Button>
            <Button type="submit" loading={isPending}>
              {submitLabel ?? 'Valider'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
