import { ActionIcon, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus, IconX } from '@tabler/icons-react'

import type { ListType } from '../../contract/list-types.ts'
import { type ListGroup, listGroups, listGroupWords } from '../../domain/list-groups.ts'
import { FormSection } from '../ui/forms/form-page.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { type Coded, type CodedRow, useCodedRows } from './coded-rows.ts'
import { CodedValue } from './coded-value.tsx'
import { listTypesQuery } from './list-data.ts'
import type { ReferenceField } from './reference-fields.ts'
import { inWords } from '../page/house-words.ts'

type CodedFieldsProps = {
  form: Pick<Form<ReferenceField>, 'whole'>
  /** The medium as it is chosen in the form. */
  medium: number | null
}

/** Authors, editors and lists, line by line, as the functions of the medium allow. */
export function CodedFields({ form, medium }: CodedFieldsProps) {
  const { data: types = [] } = useQuery(listTypesQuery)
  const fieldOf = (group: ListGroup) => {
    const { value, ...field } = form.whole(`authors.${group}`, listGroupWords[group])
    return { ...field, value: (value ?? {}) as Coded }
  }
  const groups = listGroups.flatMap((group) => {
    const field = fieldOf(group)
    const ofGroup = types.filter((type) => type.group === group)
    const offered = ofGroup.filter((type) => type.enabled && isFor(type, medium))
    return offered.length > 0 || Object.keys(field.value).length > 0
      ? [{ group, field, ofGroup, offered }]
      : []
  })
  if (groups.length === 0) return null
  return (
    <FormSection
      title="Auteurs, éditeurs et listes"
      about="Choisis dans les listes de la bibliothèque, selon le support."
    >
      {groups.map(({ group, ...rest }) => (
        <CodedGroup key={group} group={group} {...rest} />
      ))}
    </FormSection>
  )
}

/** A function without media is for all of them. */
const isFor = ({ medium: media }: ListType, medium: number | null): boolean =>
  media.length === 0 || media.some(({ id }) => id === medium)

type CodedGroupProps = {
  group: ListGroup
  field: { error: string | undefined; value: Coded; onChange: (value: object) => void }
  ofGroup: readonly ListType[]
  offered: readonly ListType[]
}

function CodedGroup({ group, field, ofGroup, offered }: CodedGroupProps) {
  const { rows, change, remove, add } = useCodedRows(field.value, field.onChange)
  const word = listGroupWords[group]
  const usedBeside = (row: CodedRow) =>
    rows.flatMap(({ key, type, value }) => (key !== row.key && type === row.type && value ? [value] : []))
  return (
    <Stack gap="xs" role="group" aria-label={word}>
      <Title order={3} size="h5">
        {word}
      </Title>
      {rows.map((row, n) => (
        <Group key={row.key} role="group" aria-label={`${word}, ligne ${n + 1}`} align="flex-end" gap="xs">
          <Select
            label="Fonction"
            searchable
            clearable
            flex="1 1 10rem"
            nothingFoundMessage={inWords('Aucune fonction pour ce support')}
            data={[...new Set([...offered.map(({ name }) => name), ...(row.type ? [row.type] : [])])]}
            value={row.type || null}
            onChange={(type) => change(row.key, (now) => ({ ...now, type: type ?? '', value: '' }))}
          />
          <CodedValue
            key={row.type}
            type={ofGroup.find(({ name }) => name === row.type)}
            value={row.value}
            used={usedBeside(row)}
            onChange={(value) => change(row.key, (now) => ({ ...now, value }))}
            onRefused={(value) =>
              change(row.key, (now) => (now.value === value ? { ...now, value: '' } : now))
            }
          />
          <ActionIcon
            size={44}
            aria-label={`Retirer\u202f: ${word}, ligne ${n + 1}`}
            onClick={() => remove(row)}
          >
            <IconX size="1.2rem" aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {field.error === undefined ? null : (
        <Text c="red" size="sm" role="alert">
          {field.error}
        </Text>
      )}
      <Button
        variant="default"
        size="sm"
        w="fit-content"
        leftSection={<IconPlus size="1.2em" aria-hidden />}
        aria-label={`Ajouter une ligne\u202f: ${word}`}
        onClick={add}
      >
        Ajouter une ligne
      </Button>
    </Stack>
  )
}

/** What main authors say as a reference's author, or null where there is none. */
export function useMainAuthor(): (authors: unknown) => string | null {
  const { data: types = [] } = useQuery(listTypesQuery)
  return (authors) => {
    const coded = (authors ?? {}) as Coded
    const names = types
      .filter(({ isMainAuthor, name }) => isMainAuthor && coded[name] !== undefined)
      .flatMap(({ name }) => coded[name] ?? [])
    return names.length === 0 ? null : names.join(' ; ')
  }
}

/** What main authors say is not sent beside them, whatever stood there before. */
export function useSaidByOthers() {
  const mainAuthorOf = useMainAuthor()
  return (values: { 'authors.author'?: unknown }) =>
    mainAuthorOf(values['authors.author']) === null ? [] : ['tags.author']
}
