import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { type Ref, useEffect, useRef, useState } from 'react'

import { useParameter } from '../settings/parameter-data.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { type Choice, SearchPicker } from '../ui/search-picker.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { findScannedReader, type Reader, readerSearchQuery } from './beneficiary-data.ts'

/** Who borrows: a reader, or one of the relatives in the reader's name. */
export type ChosenReader = { reader: Reader; relative: number | null }

type ReaderPickerProps = {
  chosen: ChosenReader | null
  onChoose: (chosen: ChosenReader | null) => void
  label?: string
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** False where it does not matter for whom, as when loans come back. */
  withRelative?: boolean
}

/** Finds a reader by name or number, on line or off; then shows who was chosen, and for which relative. */
export function ReaderPicker({ chosen, onChoose, withRelative = true, ...search }: ReaderPickerProps) {
  return chosen ? (
    <ChosenOne chosen={chosen} onChoose={onChoose} withRelative={withRelative} />
  ) : (
    <ReaderSearch {...search} onChoose={onChoose} />
  )
}

function ReaderSearch({
  onChoose,
  label = 'Bénéficiaire',
  error,
  inputRef,
}: Omit<ReaderPickerProps, 'chosen' | 'withRelative'>) {
  const [text, setText] = useState('')
  const still = useDebounced(text.trim())
  const isRelativeSearch = useParameter('relative_search') === '1'
  const { data, isFetching, error: failure } = useQuery(readerSearchQuery(still))
  const readers = still === text.trim() && still !== '' ? data : undefined

  useOnlyHit(readers, isRelativeSearch, (reader) => onChoose({ reader, relative: null }))

  const pick = (value: string) => {
    const [id, relative] = value.split('/').map(Number)
    const reader = readers?.find((one) => one.id === id)
    if (reader) onChoose({ reader, relative: relative ?? null })
  }
  const takeCode = async (code: string) => {
    const found = await findScannedReader(code).catch(() => null)
    if (found) onChoose(found)
  }
  return (
    <SearchPicker
      label={label}
      placeholder="Nom, matricule ou numéro de lecteur"
      text={text}
      onText={setText}
      choices={readers?.flatMap((reader) => choicesOf(reader, isRelativeSearch))}
      isSearching={isFetching || still !== text.trim()}
      none="Aucun bénéficiaire actif ne correspond."
      onPick={pick}
      onEnter={(code) => void takeCode(code)}
      error={failure ? failure.message : error}
      {...(inputRef ? { inputRef } : {})}
    />
  )
}

/** A single hit is chosen by itself, unless relatives are searched and the person has some (file 1, section 4). */
function useOnlyHit(
  readers: readonly Reader[] | undefined,
  isRelativeSearch: boolean,
  choose: (reader: Reader) => void,
) {
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    const [only, ...others] = readers ?? []
    if (!only || others.length > 0) return
    if (!isRelativeSearch || only.relatives.length === 0) latest.current(only)
  }, [readers, isRelativeSearch])
}

const choicesOf = (reader: Reader, isRelativeSearch: boolean): Choice[] => [
  {
    value: String(reader.id),
    label: reader.label,
    detail: reader.is_active ? undefined : 'Inscription terminée',
  },
  ...(isRelativeSearch ? reader.relatives : []).map(({ id, name, reader_id }) => ({
    value: `${reader.id}/${id}`,
    label: reader_id === null ? name : `${name} - ${reader_id}`,
    detail: `Proche de ${reader.lastname} ${reader.firstname}`,
  })),
]

function ChosenOne({
  chosen: { reader, relative },
  onChoose,
  withRelative,
}: { chosen: ChosenReader; withRelative: boolean } & Pick<ReaderPickerProps, 'onChoose'>) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text fw={600}>{`${reader.lastname} ${reader.firstname}`.trim()}</Text>
          <Text size="sm" c="dimmed">
            {[reader.matricule, reader.reader_id].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <ActionIcon aria-label="Changer de bénéficiaire" onClick={() => onChoose(null)} c="dimmed">
          <IconX size="1.2rem" aria-hidden />
        </ActionIcon>
      </Group>
      {reader.is_active ? null : (
        <div>
          <StatusTag tone="bad">Inscription terminée</StatusTag>
        </div>
      )}
      {withRelative && reader.relatives.length > 0 ? (
        <Select
          label="Emprunte pour"
          data={[
            { value: '', label: 'Le bénéficiaire' },
            ...reader.relatives.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={relative === null ? '' : String(relative)}
          onChange={(value) => onChoose({ reader, relative: value ? Number(value) : null })}
          allowDeselect={false}
        />
      ) : null}
    </Stack>
  )
}
