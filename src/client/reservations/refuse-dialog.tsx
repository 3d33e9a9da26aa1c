import { Text, Textarea } from '@mantine/core'

import { changeReservation, type Reservation } from '../../contract/reservations.ts'
import { reservationStatusFailed } from '../../domain/sentences/reservations.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { inWords } from '../page/house-words.ts'

type RefuseDialogProps = {
  reservation: Reservation
  onRefused: (after: Reservation) => void
  onClose: () => void
}

/** Asks what to tell the person before a reservation is refused. Rendered while open. */
export default function RefuseDialog({ reservation, onRefused, onClose }: RefuseDialogProps) {
  const { id, reference_name, beneficiary_name, comment } = reservation
  const form = useForm(changeReservation, {
    initial: { comment },
    params: { id },
    fixed: { status: 'refused' },
    wording: () => reservationStatusFailed,
    onSaved: (after) => {
      onRefused(after)
      onClose()
    },
  })
  return (
    <FormDialog title="Refuser la réservation" form={form} onClose={onClose}>
      <div>
        <Text fw={600}>{reference_name}</Text>
        <Text c="dimmed">{beneficiary_name}</Text>
      </div>
      <Textarea
        minRows={2}
        maxLength={2000}
        description={inWords('Le motif du refus, gardé avec la réservation.')}
        {...form.text('comment', 'Commentaire')}
      />
    </FormDialog>
  )
}
