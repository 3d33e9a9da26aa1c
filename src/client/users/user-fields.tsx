import { asChoice } from '../ui/forms/as-choice.ts'
import { MultiSelect, PasswordInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { Profile } from '../../contract/profiles.ts'
import { useSession } from '../api/session.ts'
import { mailTransportQuery } from '../mail/mail-transport.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { folded } from '../ui/every-word.ts'
import type { Form } from '../ui/forms/use-fields.ts'
import { profilesQuery } from './user-data.ts'

/** « anne.le-goff » of Anne Le Goff, for whoever has no other wish. */
const loginNameOf = (firstname: string, lastname: string): string =>
  [firstname, lastname]
    .map((name) =>
      folded(name)
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, ''),
    )
    .filter((part) => part !== '')
    .join('.')

type Field = 'username' | 'firstname' | 'lastname' | 'email' | 'role' | 'sites' | 'password'
type UserFieldsProps = {
  form: Pick<Form<Field>, 'text' | 'secret' | 'choice' | 'several' | 'write'>
  /** Sites the person has, which may since be closed. */
  had: readonly { id: number; name: string }[]
  /** Left out of one's own account, whose password changes elsewhere. */
  passwordHint?: string | undefined
}

/** What adding and changing a user have in common. */
export function UserFields({
  form: { text, secret, choice, several, write },
  had,
  passwordHint,
}: UserFieldsProps) {
  const { data: profiles = [] } = useQuery(profilesQuery)
  const isMultisite = useIsMultisite()
  const open = useSession()?.user?.sites ?? []
  const sites = [...open, ...had.filter(({ id }) => !open.some((site) => site.id === id))]
  const firstname = text('firstname', 'Prénom')
  const lastname = text('lastname', 'Nom')
  const username = text('username', 'Nom d’utilisateur')
  const role = choice('role', 'Profil')
  const chosen = profiles.find(({ name }) => name === role.value)
  // Followed until another is written over it.
  const [proposed, setProposed] = useState('')
  const propose = () => {
    if (username.value !== proposed) return
    const next = loginNameOf(firstname.value, lastname.value)
    setProposed(next)
    write('username', next)
  }
  const name = useRef<HTMLInputElement>(null)
  const offered = proposed !== '' && username.value === proposed
  // What was only proposed gives way to what is typed; the focus may be there before it.
  useEffect(() => {
    if (offered && document.activeElement === name.current) name.current?.select()
  }, [offered, proposed])
  return (
    <>
      <SimpleGrid cols={2}>
        <TextInput maxLength={100} autoComplete="off" onBlur={propose} {...firstname} />
        <TextInput maxLength={100} autoComplete="off" onBlur={propose} {...lastname} />
      </SimpleGrid>
      <TextInput
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        description="Celui de la connexion, sans arobase."
        {...username}
        ref={name}
        onFocus={() => offered && name.current?.select()}
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
        description={chosen ? doings(chosen) : undefined}
        data={profiles.map(({ name }) => name)}
        renderOption={({ option }) => {
          const profile = profiles.find(({ name }) => name === option.value)
          return (
            <div>
              {option.label}
              {/* Read with the field once it is chosen. */}
              <Text size="sm" c="dimmed" aria-hidden>
                {profile ? doings(profile) : null}
              </Text>
            </div>
          )
        }}
        {...role}
      />
      {isMultisite ? (
        <MultiSelect
          description={inWords('Aucun\u202f: la personne travaille à tous les sites.')}
          data={sites.map(asChoice)}
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

/** Those of somebody who is new: how they come in without a password is said before they are added. */
export function NewUserFields({ form }: Pick<UserFieldsProps, 'form'>) {
  const { data } = useQuery(mailTransportQuery)
  const isMailed = data?.connected !== false && form.text('email', 'Courriel').value !== ''
  return (
    <UserFields
      form={form}
      had={[]}
      passwordHint={
        isMailed
          ? 'Sans mot de passe, la personne reçoit par courriel un lien de connexion.'
          : 'Sans mot de passe, son lien d’invitation est à lui remettre vous-même\u202f: «\u00a0Utilisateurs\u00a0» le donne.'
      }
    />
  )
}

const keeps = [
  ['BENEFICIARY_EDIT', 'les lecteurs'],
  ['REFERENCE_EDIT', 'le catalogue'],
  ['USER_EDIT', 'les comptes'],
  ['PARAMETER_GENERAL', 'les réglages'],
] as const

/** What whoever has this profile does: that much tells the delivered ones apart. */
function doings({ rights }: Pick<Profile, 'rights'>): string {
  const kept = keeps.flatMap(([right, words]) => (rights.includes(right) ? [words] : []))
  const beside = kept.length > 0 ? ` Tient ${new Intl.ListFormat('fr').format(kept)}.` : ''
  return `${atCounter(rights)}${beside}`
}

function atCounter(rights: Profile['rights']): string {
  const [lends, returns] = [rights.includes('LOANING_ADD'), rights.includes('LOANING_RETURN')]
  if (lends && returns) return 'Scanne les prêts et les retours au comptoir.'
  if (lends) return 'Scanne les prêts au comptoir, pas les retours.'
  return returns ? 'Scanne les retours au comptoir, pas les prêts.' : 'Ne prête ni ne rend au comptoir.'
}
