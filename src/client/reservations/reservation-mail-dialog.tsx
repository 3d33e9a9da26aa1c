import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { type draftReservationMail, sendMail } from '../../contract/mail.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { occasionOf } from '../../domain/mail-occasions.ts'
import { useChange } from '../api/queries.ts'
import { mailFailure } from '../loans/mail-failure.ts'
import { oneMail, sayMailed } from '../mail/say-mailed.ts'
import { asEdited } from '../mail/template-document.ts'
import { TemplateField } from '../mail/template-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'

export type Draft = AnswerOf<typeof draftReservationMail>

type ReservationMailDialogProps = { reservation: Reservation; draft: Draft; onClose: () => void }

/** The mail of a decision, read before it leaves: as it is, changed, or not at all. */
export default function ReservationMailDialog({ reservation, draft, onClose }: ReservationMailDialogProps) {
  const { id, beneficiary_name, reference_name, comment } = reservation
  const { template } = draft
  const send = useChange(sendMail)
  const [initial] = useState(() => ({
    object: draft.object,
    body: asEdited(draft.body),
    signing: asEdited(draft.signing),
  }))
  const form = useLocalForm({
    about: `reservation mail ${id} ${template}`,
    initial,
    act: ({ object, body, signing }) => {
      const isAsItWas = object === initial.object && body === initial.body && signing === initial.signing
      return send.mutateAsync({
        body: isAsItWas ? { reservation: id, template, comment } : { reservation: id, object, body, signing },
      })
    },
    onDone: () => {
      void sayMailed(oneMail, { about: beneficiary_name })
      onClose()
    },
    wording: mailFailure,
  })
  const written = (field: 'body' | 'signing', label: string) => {
    const { value, error } = form.text(field, label)
    // No variables are left to put in: they have this reader's values.
    return { label, value, error, about: null, onChange: (text: string) => form.write(field, text) }
  }
  return (
    <FormDialog
      title={`Courriel\u202f: ${occasionOf(template).name}`}
      size="30rem"
      form={form}
      acts="sends"
      submitLabel="Envoyer"
      cancelLabel="Ne pas envoyer"
      onClose={onClose}
    >
      <div>
        <Text fw={600}>{beneficiary_name}</Text>
        <Text c="dimmed">{reference_name}</Text>
      </div>
      <TextInput required {...form.text('object', 'Objet')} />
      <TemplateField required {...written('body', 'Corps')} />
      <TemplateField {...written('signing', 'Signature')} />
    </FormDialog>
  )
}
