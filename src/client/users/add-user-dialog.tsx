import { addUser, type User } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { userSaved } from '../../domain/sentences/lists.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { NewUserFields } from './user-fields.tsx'

type AddUserDialogProps = { onAdded: (user: User) => void; onClose: () => void }

export default function AddUserDialog({ onAdded, onClose }: AddUserDialogProps) {
  const form = useForm(addUser, {
    initial: {},
    onSaved: (user) => {
      say(userSaved, 'good', { about: accountName(user) })
      onClose()
      onAdded(user)
    },
  })
  return (
    <FormDialog title="Ajouter un utilisateur" form={form} onClose={onClose}>
      <NewUserFields form={form} />
    </FormDialog>
  )
}
