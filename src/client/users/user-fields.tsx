import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { MultiSelect, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import type { Form } from '../ui/use-fields.ts'
import { profilesQuery } from './user-data.ts'
import { inWords } from '../page/house-words.ts'

type Field = 'username' | 'firstname' | 'lastname' | 'email' | 'role' | 'sites' | 'password'
type UserFieldsProps = {
  form: Pick<Form<Field>, 'text' | 'secret' | 'choice' | 'several'>
  /** Sites the person has, which may since be closed. */
  had: readonly { id: number; name: string }[]
  /** Left out of one's own account, whose password changes elsewhere. */
  passwordHint?: string | undefined
}

/** What adding and changing a user have in common. */
export function UserFields({ form: { text, secret, choice, several }, had, passwordHint }: UserFieldsProps) {
  const { data: profiles = [] } = useQuery(profilesQuery)
  const isMultisite = useIsMultisite()
  const open = useSession()?.user?.sites ?? []
  const sites = [...open, ...had.filter(({ id }) => !open.some((site) => site.id === id))]
  return (
    <>
      <SimpleGrid cols={2}>
        <TextInput maxLength={100} autoComplete="off" {...text('firstname', 'Prénom')} />
        <TextInput maxLength={100} autoComplete="off" {...text('lastname', 'Nom')} />
      </SimpleGrid>
      <TextInput
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        description="Celui de la connexion, sans arobase."
        {...text('username', 'Nom d’utilisateur')}
      />
      <TextInput
        type="email"
        inputMode="email"
        maxLength={200}
        autoComplete="off"
        description="Pour l’invitation, et pour un mot de passe oublié."
        {...text('email', 'Courriel')}
      />
      <Select
        required
        searchable
        allowDeselect={false}
        nothingFoundMessage="Aucun profil de ce nom"
        data={profiles.map(({ name }) => name)}
        {...choice('role', 'Profil')}
      />
      {isMultisite ? (
        <MultiSelect
          description={inWords('Aucun\u202f: la personne travaille à tous les sites.')}
          data={sites.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...several('sites', 'Sites')}
        />
      ) : null}
      {passwordHint === undefined ? null : (
        <PasswordInput
          maxLength={200}
          autoComplete="new-password"
          description={passwordHint}
          {...secret('password', 'Mot de passe')}
        />
      )}
    </>
  )
}
