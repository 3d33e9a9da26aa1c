import '@mantine/core/styles/Switch.css'

import { Button, PasswordInput, Switch, Text, TextInput } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'

import { updateUser, type User } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { userSaved } from '../../domain/sentences/lists.ts'
import { useSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { OwnRightNames } from './own-rights.tsx'
import { UserFields } from './user-fields.tsx'

type EditUserDialogProps = { user: User; onLink: () => void; onClose: () => void }

export default function EditUserDialog({ user, onLink, onClose }: EditUserDialogProps) {
  const isOwn = useSession()?.user?.id === user.id
  const { id, username, firstname, lastname, email, role, sites, enabled } = user
  const hasOwnRights = user.added_rights.length + user.removed_rights.length > 0
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
      {isOwn && form.text('email', 'Courriel').value !== (email ?? '') ? (
        <>
          <Text>
            Votre adresse reçoit de quoi choisir un mot de passe&#8239;: montrez que c’est bien vous.
          </Text>
          <PasswordInput
            required
            autoComplete="current-password"
            maxLength={200}
            {...form.secret('current_password', 'Mot de passe actuel')}
          />
          {user.second_factor ? (
            <TextInput
              required
              autoComplete="one-time-code"
              autoCapitalize="none"
              maxLength={40}
              {...form.secret('second_factor', 'Code de l’application, ou de secours')}
            />
          ) : null}
        </>
      ) : null}
      {hasOwnRights ? (
        <div>
          <OwnRightNames {...user} />
          <Text c="dimmed" mt="xs">
            Ces droits restent à la personne sous un autre profil. «&nbsp;Profils et droits&nbsp;» lui rend
            ceux du profil.
          </Text>
        </div>
      ) : null}
      {user.awaits_password && enabled && !isOwn ? (
        <div>
          <Text mb="xs">
            {email === null
              ? 'Sans adresse électronique, cette personne ne reçoit pas son invitation\u202f: remettez-lui son lien.'
              : 'Cette personne n’a pas encore choisi son mot de passe.'}
          </Text>
          <Button variant="default" leftSection={<IconLink size="1.2em" aria-hidden />} onClick={onLink}>
            Copier le lien d’invitation
          </Button>
        </div>
      ) : null}
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
