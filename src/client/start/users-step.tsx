import { Button, Group, Text } from '@mantine/core'
import { IconUserCheck, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { membersOf } from '../../contract/list.ts'
import { addUser, listUsers } from '../../contract/users.ts'
import { accountName } from '../../domain/person-names.ts'
import { userSaved } from '../../domain/sentences/lists.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { MailNotice } from '../mail/mail-notice.tsx'
import { say } from '../page/messages.ts'
import { faultsFrom } from '../ui/forms/faults-from.ts'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { NewUserFields } from '../users/user-fields.tsx'
import { useMarkStep } from './start-data.ts'
import styles from './start.module.css'
import { StepPanel } from './step-panel.tsx'

/** Who works here besides the administrator; none is needed to lend. */
export function UsersStep({ onDone }: { onDone: () => void }) {
  const mayAdd = useRight('USER_EDIT')
  const [turn, setTurn] = useState(0)
  return <Fields key={turn} mayAdd={mayAdd} onAnother={() => setTurn(turn + 1)} onDone={onDone} />
}

type FieldsProps = { mayAdd: boolean; onAnother: () => void; onDone: () => void }
type Values = {
  firstname: string
  lastname: string
  username: string
  email: string
  role: string | null
  sites: string[]
  password: string
}

const blank: Values = {
  firstname: '',
  lastname: '',
  username: '',
  email: '',
  role: null,
  sites: [],
  password: '',
}

function Fields({ mayAdd, onAnother, onDone }: FieldsProps) {
  const mark = useMarkStep()
  const add = useChange(addUser)
  const goesOn = useRef(true)
  const added = useRef<string>(undefined)
  const isTyped = (values: Values) =>
    mayAdd && Object.values(values).some((value) => (value === null ? false : value.length > 0))
  const form = useLocalForm<Values, boolean>({
    about: 'first steps, users',
    initial: blank,
    check: (values) => (isTyped(values) || !goesOn.current ? faultsFrom(addUser.body, bodyOf(values)) : {}),
    act: async (values) => {
      const isLast = goesOn.current
      if (isTyped(values) && added.current !== values.username) {
        const user = await add.mutateAsync({ body: bodyOf(values) })
        // Asked again after the step could not be marked, they are there already.
        added.current = user.username
        say(userSaved, 'good', { about: accountName(user) })
      }
      if (isLast) await mark('users', isTyped(values) ? 'done' : 'later')
      return isLast
    },
    onDone: (isLast) => (isLast ? onDone() : onAnother()),
  })
  const addAnother = () => {
    goesOn.current = false
    form.ref.current?.requestSubmit()
    goesOn.current = true
  }
  return (
    <StepPanel
      step="users"
      title={'Qui travaille ici\u202f?'}
      about={
        'Un compte par personne\u202f: chacune voit ce que son profil ouvre. Seul\u202f? Continuez sans rien écrire\u202f: l’étape reste ouverte.'
      }
      form={form}
      onDone={onDone}
      isOthers={!mayAdd}
    >
      <KnownUsers />
      {mayAdd ? (
        <>
          <MailNotice />
          <NewUserFields form={form} />
          <Group>
            <Button
              variant="light"
              onClick={addAnother}
              leftSection={<IconUserPlus size="1.2em" aria-hidden />}
            >
              Ajouter, puis une autre personne
            </Button>
          </Group>
        </>
      ) : (
        <Text>
          Votre profil ne vous laisse pas ajouter de comptes\u202f: laissez cette étape à qui le peut.
        </Text>
      )}
    </StepPanel>
  )
}

/** Without a profile it is refused by the schema, before it is sent. */
const bodyOf = ({ role, password, email, ...values }: Values) => ({
  ...values,
  ...((role === null ? {} : { role }) as { role: string }),
  ...(email === '' ? {} : { email }),
  ...(password === '' ? {} : { password }),
})

function KnownUsers() {
  const mayList = useRight('LIST_USERS', 'USER_EDIT')
  const { data } = useQuery({
    ...listQuery(listUsers, { limit: 10, order: [{ field: 'id', direction: 'asc' }] }),
    enabled: mayList,
  })
  const users = membersOf(data) ?? []
  if (users.length === 0) return null
  return (
    <ul className={styles['users']} aria-label="Comptes">
      {users.map((user) => (
        <li key={user.id}>
          <IconUserCheck size="1.2em" aria-hidden />
          {accountName(user)}
        </li>
      ))}
    </ul>
  )
}
