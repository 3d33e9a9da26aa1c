import { Select, TextInput } from '@mantine/core'

import { exportWeeding } from '../../contract/weeding.ts'
import type { WeedingReason } from '../../domain/weeding.ts'
import { call } from '../api/call.ts'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { reasonChoices } from './weeding-words.ts'

type CouncilDialogProps = {
  /** One that was done; the cart where it is null. */
  weeding: number | null
  onClose: () => void
}

const toBeDecided = 'later'
const types = [
  { value: 'pdf', label: 'Pages à signer (.pdf)' },
  { value: 'xlsx', label: 'Classeur (.xlsx)' },
]

/** The list that a council decides on, with what is known of its decision. */
export function CouncilDialog({ weeding, onClose }: CouncilDialogProps) {
  const form = useLocalForm({
    about: `council of weeding ${weeding ?? 'cart'}`,
    initial: { number: '', decided_on: '', reason: toBeDecided, type: 'pdf' },
    check: ({ number }) =>
      number.length > 60 ? { number: 'Le numéro ne doit pas dépasser 60 caractères.' } : {},
    act: async ({ number, decided_on, reason, type }) =>
      saveFile(
        await call(exportWeeding, {
          query: {
            export_type: type === 'pdf' ? 'pdf' : 'xlsx',
            ...(weeding === null ? {} : { weeding: String(weeding) }),
            ...(number.trim() === '' ? {} : { number: number.trim() }),
            ...(decided_on === '' ? {} : { decided_on }),
            ...(weeding !== null || reason === toBeDecided ? {} : { reason: reason as WeedingReason }),
          },
        }),
      ),
    onDone: onClose,
  })
  return (
    <FormDialog title="Liste pour le conseil" submitLabel="Faire le fichier" form={form} onClose={onClose}>
      <TextInput
        {...form.text('number', 'Numéro de la délibération')}
        description="Laissé vide, il s’écrit à la main"
      />
      <DateField {...form.day('decided_on', 'Date de la délibération')} />
      {weeding === null ? (
        <Select
          {...form.choice('reason', 'Destination')}
          description="De ceux qui n’ont pas encore la leur"
          allowDeselect={false}
          data={[{ value: toBeDecided, label: 'À décider' }, ...reasonChoices]}
        />
      ) : null}
      <Select {...form.choice('type', 'Fichier')} allowDeselect={false} data={types} />
    </FormDialog>
  )
}
