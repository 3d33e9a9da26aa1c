import { Text } from '@mantine/core'

import type { Entry } from '../../offline/entry.ts'
import { MotiveDialog } from '../ui/motive-dialog.tsx'
import { whatOf } from '../outbox/entry-words.ts'

type SetAsideDialogProps = { entry: Entry; onConfirm: (motive: string) => unknown; onClose: () => void }

/** With a named person's decision and motive. Rendered while open. */
export function SetAsideDialog({ entry, ...settle }: SetAsideDialogProps) {
  return (
    <MotiveDialog
      act="Mettre de côté"
      of={entry.id}
      acts="destroys"
      missing="Écrivez pourquoi cette action est mise de côté."
      {...settle}
    >
      <div>
        <Text fw={600}>{entry.label.title}</Text>
        <Text>{whatOf(entry)}</Text>
      </div>
      <Text>Cette action ne sera pas appliquée. Votre nom et le motif sont gardés.</Text>
    </MotiveDialog>
  )
}
