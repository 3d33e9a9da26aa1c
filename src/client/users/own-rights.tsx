import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import type { Profile } from '../../contract/profiles.ts'
import { listUsers, updateUser, type User } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { FormSection } from '../ui/forms/form-page.tsx'
import { RightNames } from './rights-difference.tsx'

/** Where a person's rights differ from the profile's; nothing for whoever has the profile's alone. */
export const OwnRightNames = ({ added_rights, removed_rights }: User) => (
  <>
    <RightNames title="En plus du profil" of={added_rights} />
    <RightNames title="En moins" of={removed_rights} />
  </>
)

/** Names the people whose rights differ from their profile’s, because a change of the profile does not reach those. */
export function OwnRights({ profile }: { profile: Profile }) {
  const { data } = useQuery({
    queryKey: ['users', 'own rights', profile.id],
    queryFn: ({ signal }) =>
      call(listUsers, {
        list: {
          limit: 500,
          filters: [
            { field: 'role', operator: 'eq', value: profile.id },
            { field: 'own_rights', operator: 'eq', value: true },
          ],
        },
        signal,
      }),
    enabled: useRight('LIST_USERS', 'USER_EDIT'),
  })
  const confirm = useConfirm()
  const update = useChange(updateUser)
  const giveBack = async (user: User) => {
    const isSure = await confirm({
      title: `Rendre à ${accountName(user)} les droits du profil`,
      isNamed: true,
      message: <OwnRightNames {...user} />,
    })
    if (!isSure) return
    await update
      .mutateAsync({ params: { id: user.id }, body: { rights: profile.rights } })
      .then(() => say(changesSaved, 'good', { about: accountName(user) }), sayError)
  }
  const users = membersOf(data) ?? []
  if (users.length === 0) return null
  return (
    <FormSection
      title="Personnes qui ont d’autres droits"
      about="Ce qui diffère du profil est à la personne, et lui reste sous un autre profil."
    >
      {users.map((user) => (
        <Stack key={user.id} gap="xs" align="flex-start">
          <Text fw={600}>{accountName(user)}</Text>
          <div>
            <OwnRightNames {...user} />
          </div>
          {user.may_change ? (
            <Button
              variant="default"
              aria-label={`Rendre les droits du profil à ${accountName(user)}`}
              onClick={() => void giveBack(user)}
            >
              Rendre les droits du profil
            </Button>
          ) : null}
        </Stack>
      ))}
    </FormSection>
  )
}
