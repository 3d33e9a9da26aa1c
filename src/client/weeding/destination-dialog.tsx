import { Select } from '@mantine/core'

import type { CartLine } from '../../contract/weeding.ts'
import type { WeedingReason } from '../../domain/weeding.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useLocalForm } from '../ui/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { reasonChoices } from './weeding-words.ts'

type DestinationDialogProps = {
  lines: readonly CartLine[]
  onConfirm: (reason: WeedingReason | null) => Promise<unknown>
  onClose: () => void
}

const asTheRest = 'rest'

/** Another destination for some copies than for the rest of the cart. */
export function DestinationDialog({ lines, onConfirm, onClose }: DestinationDialogProps) {
  const [first] = lines
  const form = useLocalForm({
    about: `destination of copies ${lines.map(({ id }) => id).join()}`,
    initial: { reason: (lines.length === 1 && first?.reason) || asTheRest },
    act: ({ reason }) => onConfirm(reason === asTheRest ? null : (reason as WeedingReason)),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={
        lines.length === 1 && first
          ? `Destination de «\u00a0${first.name}\u00a0»`
          : `Destination de ${counted(lines.length, 'exemplaire', 'exemplaires')}`
      }
      form={form}
      onClose={onClose}
    >
      <Select
        {...form.choice('reason', 'Destination')}
        allowDeselect={false}
        data={[{ value: asTheRest, label: 'Comme le reste du panier' }, ...reasonChoices]}
      />
    </FormDialog>
  )
}
