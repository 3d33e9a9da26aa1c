import { addUser } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { userSaved } from '../../domain/sentences/lists.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useForm } from '../ui/use-form.ts'
import { UserFields } from './user-fields.tsx'

export default function AddUserDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const form = useForm(addUser, {
    initial: {},
    onSaved: (user) => {
      say(userSaved, 'good', { about: accountName(user) })
      onAdded()
      onClose()
    },
  })
  return (
    <FormDialog title="Ajouter un utilisateur" form={form} onClose={onClose}>
      <UserFields
        form={form}
        had={[]}
        passwordHint="Sans mot de passe, la personne reçoit par courriel un lien de connexion."
      />
    </FormDialog>
  )
}
