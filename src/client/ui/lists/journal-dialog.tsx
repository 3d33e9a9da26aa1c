import type { JournalledEntity } from '../../../contract/journal-words.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { JournalPart } from './journal-part.tsx'

type JournalDialogProps = { entity: JournalledEntity; id: number; name: string; onClose: () => void }

/** What was changed of a record, over its list or page. */
export default function JournalDialog({ entity, id, name, onClose }: JournalDialogProps) {
  return (
    <Dialog title={`Journal de «\u00a0${name}\u00a0»`} size="lg" onClose={onClose}>
      <JournalPart entity={entity} id={id} />
    </Dialog>
  )
}
