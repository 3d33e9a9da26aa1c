import { Select, Text, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { changeTranslation, type Translation, translations } from '../../contract/settings.ts'
import { deliveredWord, pluralOf } from '../../domain/delivered-words.ts'
import { inHouseWords, inSentence } from '../../domain/house-words.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { search } from '../ui/lists/filters.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { useForm } from '../ui/forms/use-form.ts'

const saved = ({ translation }: Translation) => say(changesSaved, 'good', { about: translation })

const isChanged = ({ translation, delivered }: Translation) => inSentence(translation) !== delivered

/** Paramètres, « Mots de l’organisation »: what every screen says instead of a word of the software. */
export default function TranslationListScreen() {
  const mayChange = useRight('PARAMETER_TRANSLATIONS')
  const [edited, setEdited] = useState<Translation | null>(null)
  const change = useChange(changeTranslation)
  const putBack = useCallbackRef(({ id, code, delivered }: Translation) => {
    const { gender } = deliveredWord(code) ?? {}
    const body = { translation: delivered, ...(gender ? { gender } : {}) }
    return change.mutateAsync({ params: { id: String(id) }, body }).then(saved, sayError)
  })
  const actions = useMemo(
    (): readonly RowAction<Translation>[] => [
      { key: 'edit', label: 'Changer', Icon: IconPencil, run: setEdited, isMain: true },
      {
        key: 'back',
        label: 'Remettre le mot d’origine',
        Icon: IconArrowBackUp,
        may: isChanged,
        run: putBack,
        isMain: true,
      },
    ],
    [putBack],
  )
  return (
    <ListScreen
      endpoint={translations.list}
      title="Mots de l’organisation"
      about={
        <Text c="dimmed" maw="46rem">
          Le mot que les menus, titres, colonnes, boutons et messages disent à la place de celui du logiciel,
          comme les titres et les colonnes des fichiers exportés. Les courriels et les documents imprimés
          gardent le leur, comme un adjectif qui suit un mot de l’autre genre.
        </Text>
      }
      noun={nounOf('mot', 'm')}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ delivered }) => delivered}
      rowActions={mayChange ? actions : undefined}
    >
      {edited ? <ChangeDialog key={edited.id} word={edited} onClose={() => setEdited(null)} /> : null}
    </ListScreen>
  )
}

function ChangeDialog({ word, onClose }: { word: Translation; onClose: () => void }) {
  const { id, code, delivered, translation, gender } = word
  const form = useForm(changeTranslation, {
    initial: { translation, gender },
    params: { id },
    onSaved: (now) => {
      void saved(now)
      onClose()
    },
  })
  const text = form.text('translation', 'Mot')
  const choice = form.choice('gender', 'Genre')
  const several = pluralOf(code)
  return (
    <FormDialog title={`Changer «\u00a0${delivered}\u00a0»`} form={form} onClose={onClose}>
      <TextInput
        required
        maxLength={100}
        autoComplete="off"
        description={deliveredWord(code)?.about}
        {...text}
      />
      <Select
        allowDeselect={false}
        data={[
          { value: 'm', label: 'Masculin' },
          { value: 'f', label: 'Féminin' },
        ]}
        {...choice}
      />
      <Text c="dimmed">{exampleOf(word, text.value, choice.value === 'f' ? 'f' : 'm')}</Text>
      {several ? <Text c="dimmed">Le pluriel, «&nbsp;{several}&nbsp;», se change à part.</Text> : null}
    </FormDialog>
  )
}

/** What a screen will say, such as « Modifier le titre, aucun titre ». */
function exampleOf({ code, delivered: said }: Translation, written: string, gender: 'm' | 'f'): string {
  const here = inSentence(written.trim()) || said
  const isFeminine = deliveredWord(code)?.gender === 'f'
  const isSeveral = /s$/.test(said) && !/-barres$/.test(said) ? true : /^codes/.test(said)
  const example = isSeveral
    ? `${isFeminine ? 'Toutes' : 'Tous'} les ${said}`
    : `Ajouter ${isFeminine ? 'une' : 'un'} ${said}, ${isFeminine ? 'aucune' : 'aucun'} ${said}, ${isFeminine ? 'de la' : 'du'} ${said}`
  return `On lira par exemple\u202f: ${inHouseWords([{ said, here, gender }])(example)}.`
}

const filters = [search('searchname|like', 'Mot')]

const columns: readonly Column<Translation>[] = [
  {
    key: 'delivered',
    title: 'Mot d’origine',
    order: 'delivered',
    role: 'main',
    cell: ({ delivered }) => delivered,
  },
  {
    key: 'translation',
    title: 'Mot affiché',
    order: 'translation',
    role: 'lasting',
    cell: (word) =>
      isChanged(word) ? <StatusTag tone="good">{word.translation}</StatusTag> : word.translation,
  },
  {
    key: 'about',
    title: 'Ce qu’il désigne',
    width: 22,
    cell: ({ code }) => deliveredWord(code)?.about ?? '',
  },
]
