import '@mantine/core/styles/Switch.css'

import { Switch } from '@mantine/core'

import { updateUser, type User } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { userSaved } from '../../domain/sentences/lists.ts'
import { useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useForm } from '../ui/use-form.ts'
import { UserFields } from './user-fields.tsx'

export default function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const isOwn = useSession()?.user?.id === user.id
  const { id, username, firstname, lastname, email, role, sites, enabled } = user
  const form = useForm(updateUser, {
    initial: {
      username,
      firstname,
      lastname,
      email: email ?? '',
      role,
      sites: sites.map((site) => String(site.id)),
      enabled,
    },
    params: { id },
    onSaved: (saved) => {
      say(userSaved, 'good', { about: accountName(saved) })
      onClose()
    },
  })
  return (
    <FormDialog title={`Modifier ${accountName(user)}`} isNamed form={form} onClose={onClose}>
      <UserFields
        form={form}
        had={sites}
        passwordHint={isOwn ? undefined : 'Laissé vide, il ne change pas. Changé, il déconnecte la personne.'}
      />
      {isOwn ? null : (
        <Switch
          size="lg"
          description="Désactivée, la personne est déconnectée aussitôt et ne peut plus entrer."
          {...form.flag('enabled', 'Compte activé')}
        />
      )}
    </FormDialog>
  )
}
