import { Text } from '@mantine/core'

import { MotiveDialog } from '../ui/motive-dialog.tsx'
import { inWords } from '../page/house-words.ts'

type OverrideDialogProps = {
  title: string
  reasons: string[]
  onConfirm: (motive: string) => void
  onClose: () => void
}

/** Asks the motive of « Prêter quand même », kept with the loan. Rendered while open. */
export default function OverrideDialog({ title, reasons, ...settle }: OverrideDialogProps) {
  return (
    <MotiveDialog
      act="Prêter quand même"
      of={title}
      acts="sends"
      missing={inWords('Écrivez pourquoi ce prêt est accordé.')}
      {...settle}
    >
      <div>
        <Text fw={600}>{title}</Text>
        {reasons.map((reason) => (
          <Text key={reason}>{reason}</Text>
        ))}
      </div>
    </MotiveDialog>
  )
}
