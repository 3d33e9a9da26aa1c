import { Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconLink, IconLockOpen, IconMailForward, IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'

import { takeSecondFactorAway } from '../../contract/second-factor.ts'
import { inviteUser, linkToInvite, listUsers, type User } from '../../contract/users.ts'
import { accountName, ofName } from '../../domain/person-names.ts'
import { queryClient } from '../api/query-client.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { MailNotice } from '../mail/mail-notice.tsx'
import { mailTransportQuery } from '../mail/mail-transport.ts'
import { invitation, sayMailed } from '../mail/say-mailed.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { acts, useMayBegin } from '../ui/acts.ts'
import { useBegun } from '../ui/begun.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { activity, among, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useJournal } from '../ui/lists/use-journal.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, firstNames, frenchInstant } from '../ui/words.ts'
import { differenceWords } from './rights-difference.tsx'
import { profilesQuery } from './user-data.ts'

const AddUserDialog = lazy(() => import('./add-user-dialog.tsx'))
const InvitationLinkDialog = lazy(() => import('./invitation-link-dialog.tsx'))
const EditUserDialog = lazy(() => import('./edit-user-dialog.tsx'))

/** Who may sign in, with which profile and at which sites. */
export default function UsersScreen() {
  const own = useSession()?.user?.id ?? 0
  const mayAdd = useMayBegin(acts.addUser)
  const isMultisite = useIsMultisite()
  const [edited, setEdited] = useState<User | 'new' | null>(null)
  useBegun('addUser', () => setEdited('new'))
  const [added, setAdded] = useState(0)
  const invite = useChange(inviteUser)
  const askAgain = useCallbackRef(async (user: User) => {
    await invite.mutateAsync({ params: { id: user.id } })
    await sayMailed(invitation, { about: `${accountName(user)}, ${user.email ?? ''}` })
  })
  const makeLink = useChange(linkToInvite)
  const [link, setLink] = useState<{ user: User; link: string } | null>(null)
  const giveLink = useCallbackRef(async (user: User) =>
    setLink({ user, ...(await makeLink.mutateAsync({ params: { id: user.id } })) }),
  )
  /** Whom no mail reaches is given the link by hand. */
  const welcome = async (user: User) => {
    setAdded(added + 1)
    if (!user.awaits_password) return
    const { connected } = await queryClient.fetchQuery(mailTransportQuery)
    if (user.email === null || !connected) await giveLink(user)
  }
  const { journalAction, journal } = useJournal<User>('users', accountName)
  const confirm = useConfirm()
  const takeAway = useChange(takeSecondFactorAway)
  const askTakeAway = useCallbackRef(async (user: User) => {
    const isSure = await confirm({
      title: `Retirer le deuxième facteur ${ofName(accountName(user))}\u202f?`,
      isNamed: true,
      message:
        'Pour un téléphone perdu\u202f: assurez-vous que c’est bien cette personne qui le demande. Son mot de passe suffira, et ses sessions prendront fin.',
      acts: 'destroys',
    })
    if (!isSure) return
    await takeAway.mutateAsync({ params: { id: user.id } })
    say('Deuxième facteur retiré.', 'good', { about: accountName(user) })
  })
  const columns = useMemo(() => columnsFor({ own, isMultisite }), [own, isMultisite])
  const actions = useMemo(
    (): readonly RowAction<User>[] => [
      {
        key: 'edit',
        label: 'Modifier',
        Icon: IconPencil,
        may: ({ may_change }) => may_change,
        run: setEdited,
        isMain: true,
      },
      {
        key: 'invite',
        label: 'Inviter de nouveau',
        Icon: IconMailForward,
        may: ({ id, may_change, email, enabled }) => may_change && enabled && email !== null && id !== own,
        run: askAgain,
      },
      {
        key: 'invitation-link',
        label: 'Copier le lien d’invitation',
        Icon: IconLink,
        may: ({ id, may_change, enabled }) => may_change && enabled && id !== own,
        run: giveLink,
      },
      ...journalAction,
      {
        key: 'take-away',
        label: 'Retirer le deuxième facteur',
        Icon: IconLockOpen,
        may: ({ id, may_change, second_factor }) => may_change && second_factor && id !== own,
        run: askTakeAway,
        tone: 'bad',
      },
    ],
    [own, askAgain, giveLink, askTakeAway, journalAction],
  )
  const close = () => setEdited(null)
  const { label, short, Icon } = acts.addUser
  const add: readonly PageAction[] = mayAdd
    ? [{ label, short, Icon, onRun: () => setEdited('new'), isMain: true }]
    : []
  return (
    <ListScreen
      endpoint={listUsers}
      title="Utilisateurs"
      noun={nounOf('utilisateur', 'm')}
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Qui peut se connecter. Ce que chaque personne peut faire est dit par son profil. Qui part est
            désactivé&#8239;: son nom reste sur ce qu’il a fait.
          </Text>
          {mayAdd ? <MailNotice /> : null}
        </>
      }
      filters={[
        search('searchname|like', 'Nom ou courriel'),
        among('role|in', 'Profil', profilesQuery),
        ...(isMultisite ? [among('site|in', 'Site', enabledSitesQuery)] : []),
        activity('Tous', 'Activés', 'Désactivés'),
      ]}
      columns={columns}
      pageActions={add}
      rowKey={({ id }) => id}
      rowName={accountName}
      rowActions={mayAdd ? actions : undefined}
      orderedFor={added}
    >
      {journal}
      <Suspense fallback={null}>
        {edited === 'new' ? (
          <AddUserDialog onAdded={(user) => void welcome(user).catch(sayError)} onClose={close} />
        ) : null}
        {edited === null || edited === 'new' ? null : (
          <EditUserDialog
            user={edited}
            onLink={() => void giveLink(edited).catch(sayError)}
            onClose={close}
          />
        )}
        {link ? <InvitationLinkDialog {...link} onClose={() => setLink(null)} /> : null}
      </Suspense>
    </ListScreen>
  )
}

const columnsFor = ({ own, isMultisite }: { own: number; isMultisite: boolean }): readonly Column<User>[] => [
  {
    key: 'name',
    title: 'Nom',
    order: 'name',
    role: 'main',
    cell: (user) => (
      <>
        {accountName(user)} {user.id === own ? <StatusTag tone="quiet">Vous</StatusTag> : null}
        {user.enabled ? null : <StatusTag tone="bad">Désactivé</StatusTag>}
      </>
    ),
  },
  {
    key: 'username',
    title: 'Nom d’utilisateur',
    order: 'username',
    role: 'extra',
    width: 13,
    cell: ({ username }) => username,
  },
  {
    key: 'role',
    title: 'Profil',
    order: 'role',
    width: 10,
    cell: ({ role, added_rights: added, removed_rights: removed }) => {
      const words = differenceWords({ added, removed })
      return words === '' ? role : <span title={words}>{role} et droits à part</span>
    },
  },
  ...(isMultisite
    ? [
        {
          key: 'sites',
          title: 'Sites',
          cell: ({ sites }: User) =>
            sites.length === 0 ? 'Tous' : firstNames(sites.map(({ name }) => name)),
        },
      ]
    : []),
  {
    key: 'email',
    title: 'Courriel',
    order: 'email',
    role: 'extra',
    cell: ({ email }) => email ?? '',
  },
  {
    key: 'second_factor',
    title: 'Deuxième facteur',
    role: 'extra',
    width: 10,
    cell: ({ second_factor }) => (second_factor ? 'Oui' : ''),
  },
  {
    key: 'last_used_at',
    title: 'Dernière activité',
    order: 'last_used_at',
    width: 11,
    cell: ({ last_used_at }) =>
      last_used_at === null ? 'Jamais' : <span title={frenchInstant(last_used_at)}>{ago(last_used_at)}</span>,
  },
]
