import type { Reference } from '../../contract/catalogue.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { FetchedCopies } from './copies-of-reference.tsx'

type CopiesDialogProps = { reference: Pick<Reference, 'id' | 'name'>; onClose: () => void }

/** A title's copies over the list. */
export default function CopiesDialog({ reference, onClose }: CopiesDialogProps) {
  return (
    <Dialog title={`Exemplaires de «\u00a0${reference.name}\u00a0»`} size="lg" onClose={onClose}>
      <FetchedCopies reference={reference.id} />
    </Dialog>
  )
}
