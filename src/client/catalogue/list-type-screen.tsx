import { Button, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { countListTypeLinks, type ListType, listTypes } from '../../contract/list-types.ts'
import { linksWithoutWarning } from '../../domain/list-groups.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { activity, among, search } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { useRowChanges } from '../ui/resource-screen.tsx'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { useJournal } from '../ui/use-journal.tsx'
import { switchColumn } from '../ui/switch-column.tsx'
import { groupChoices, groupWord } from './list-data.ts'
import { ListTypeDialog } from './list-type-dialog.tsx'
import { inWords } from '../page/house-words.ts'

const noun = nounOf('fonction', 'f')
const nameOf = ({ name }: ListType) => name

/** Paramètres, « Listes », « Fonctions »: what an author, an editor or a list is to a reference. */
export default function ListTypeScreen() {
  const mayChange = useRight('PARAMETER_REFERENCE')
  const [edited, setEdited] = useState<ListType | 'new' | null>(null)
  const [added, setAdded] = useState(0)
  const { askRemove, flip } = useRowChanges({ resource: listTypes, noun, nameOf })
  const isMeant = useWarning()
  const edit = useCallbackRef(async (type: ListType) => {
    if (await isMeant(type)) setEdited(type)
  })
  const flipOne = useCallbackRef(flip)
  const { journalAction, journal } = useJournal<ListType>('list_types', nameOf)
  const removeOne = useCallbackRef(askRemove)
  const columns = useMemo(
    () => [...ownColumns, switchColumn<ListType>({ nameOf, flip: flipOne, isLocked: !mayChange })],
    [flipOne, mayChange],
  )
  const actions = useMemo(
    (): readonly RowAction<ListType>[] => [
      { key: 'edit', label: 'Modifier', Icon: IconPencil, run: edit, isMain: true },
      { key: 'remove', label: 'Supprimer', Icon: IconTrash, run: removeOne, tone: 'bad' },
      ...journalAction,
    ],
    [edit, removeOne, journalAction],
  )
  const addButton = mayChange ? (
    <Button leftSection={<IconPlus size="1.2em" aria-hidden />} onClick={() => setEdited('new')}>
      Ajouter {noun.a}
    </Button>
  ) : null
  return (
    <ListScreen
      endpoint={listTypes.list}
      title="Fonctions"
      about={
        <Text c="dimmed" maw="46rem">
          {inWords(
            'Ce qu’un auteur, un éditeur ou une liste est pour une référence\u202f: «\u00a0Illustrateur\u00a0», «\u00a0Public visé\u00a0». La fonction dit les supports pour lesquels ses valeurs sont proposées.',
          )}
        </Text>
      }
      noun={noun}
      example="Illustrateur"
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={nameOf}
      rowActions={mayChange ? actions : undefined}
      pageActions={addButton}
      whenEmpty={addButton}
      orderedFor={added}
    >
      {journal}
      {edited === null ? null : (
        <ListTypeDialog
          key={edited === 'new' ? 'new' : edited.id}
          type={edited === 'new' ? null : edited}
          onSaved={() => {
            if (edited === 'new') setAdded(added + 1)
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </ListScreen>
  )
}

/** Asks before a function is changed that more than 50 links hang on (file 2, section 5). */
function useWarning() {
  const confirm = useConfirm()
  return async ({ id, name }: ListType): Promise<boolean> => {
    try {
      const { nb_links } = await call(countListTypeLinks, { params: { id: String(id) } })
      if (nb_links <= linksWithoutWarning) return true
      return await confirm({
        title: `Modifier «\u00a0${name}\u00a0»\u202f?`,
        message: `Les références portent ${nb_links} fois une valeur de cette fonction\u202f: un autre nom ou un autre groupe se voit sur toutes.`,
      })
    } catch (error) {
      sayError(error)
      return false
    }
  }
}

const filters = [
  search('name|like', 'Nom'),
  among('group|in', 'Groupes', groupChoices),
  activity('Toutes', 'Activées', 'Désactivées'),
]

const ownColumns: readonly Column<ListType>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: nameOf },
  { key: 'group', title: 'Groupe', order: 'group', width: 6, cell: groupWord },
  {
    key: 'medium',
    title: 'Supports',
    role: 'extra',
    cell: ({ medium }) => (medium.length === 0 ? 'Tous' : medium.map(({ name }) => name).join(', ')),
  },
  {
    key: 'isMainAuthor',
    title: 'Auteur principal',
    width: 9,
    cell: ({ isMainAuthor }) => (isMainAuthor ? 'Oui' : ''),
  },
  { key: 'nb_links', title: 'Liens', order: 'nb_links', align: 'end', cell: ({ nb_links }) => nb_links },
]
