import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'

import { fullName, ofName } from '../../domain/person-names.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { type Choice, SearchPicker } from '../ui/search-picker.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { carries, findScannedReader, type Reader, readerSearchQuery } from './beneficiary-data.ts'
import { readerMark } from './reader-mark.ts'
import {
  onlyReader,
  type Proposal,
  proposalOf,
  useIsRelativeSearch,
  useProposedReader,
} from './use-proposed-reader.ts'
import { inWords } from '../page/house-words.ts'

/** `relative` borrows in the reader's name. */
export type ChosenReader = { reader: Reader; relative: number | null }

type ReaderPickerProps = {
  chosen: ChosenReader | null
  onChoose: (chosen: ChosenReader | null) => void
  /** Null when the proposal is withdrawn. */
  onPropose: (proposal: Proposal | null) => void
  label?: string
  error?: string | undefined
  /** False where it does not matter for whom, as for returns. */
  withRelative?: boolean
}

export const ReaderPicker = memo(function ReaderPicker({
  chosen,
  onChoose,
  onPropose,
  withRelative = true,
  ...search
}: ReaderPickerProps) {
  return chosen ? (
    <ChosenOne chosen={chosen} onChoose={onChoose} withRelative={withRelative} />
  ) : (
    <ReaderSearch {...search} onChoose={onChoose} onPropose={onPropose} />
  )
})

function ReaderSearch({
  onChoose,
  onPropose,
  label = 'Lecteur',
  error,
}: Omit<ReaderPickerProps, 'chosen' | 'withRelative'>) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const typed = text.trim()
  const still = useDebounced(typed)
  const isRelativeSearch = useIsRelativeSearch()
  const { data, isFetching, error: failure } = useQuery(readerSearchQuery(still))
  const readers = still === typed && still !== '' ? data : undefined
  const proposed = useProposedReader(typed, still, data)

  useEffect(() => {
    onPropose(proposed && proposalOf(proposed, still, field.current))
    // oxlint-disable-next-line react/exhaustive-deps -- answers a proposal, not renders
  }, [proposed?.id, still])
  // oxlint-disable-next-line react/exhaustive-deps -- once somebody is chosen, or it is gone
  useEffect(() => () => onPropose(null), [])

  const confirm = (reader: Reader) => onChoose({ reader, relative: null })
  const pick = (value: string) => {
    const [id, relative] = value.split('/').map(Number)
    const reader = readers?.find((one) => one.id === id)
    if (reader) onChoose({ reader, relative: relative ?? null })
  }
  /** Enter takes a whole number, the proposed person, or the only one with that name. */
  const takeTyped = async (code: string) => {
    if (proposed && code === still && !carries(proposed, code)) return confirm(proposed)
    const found = await findScannedReader(code).catch(() => null)
    if (found) return onChoose(found)
    const only = onlyReader(
      await client.fetchQuery(readerSearchQuery(code)).catch(() => []),
      isRelativeSearch,
    )
    if (only && field.current?.value.trim() === code) confirm(only)
  }
  return (
    <>
      <SearchPicker
        label={label}
        placeholder="Nom, matricule ou carte"
        text={text}
        onText={setText}
        choices={proposed ? undefined : readers?.flatMap((reader) => choicesOf(reader, isRelativeSearch))}
        isSearching={isFetching || still !== typed}
        none="Aucun lecteur actif ne correspond."
        onPick={pick}
        onEnter={(code) => void takeTyped(code)}
        error={failure ? failure.message : error}
        inputRef={field}
      />
      {proposed ? <ProposedOne reader={proposed} onConfirm={() => confirm(proposed)} /> : null}
    </>
  )
}

/** Provisional until Enter, a press or what is added confirms it. */
function ProposedOne({ reader, onConfirm }: { reader: Reader; onConfirm: () => void }) {
  const name = fullName(reader)
  return (
    <Stack gap="xs" role="status">
      <div>
        <Text fw={600} {...readerMark(reader.id)}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {[reader.matricule, reader.reader_id].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Group gap="sm">
        <StatusTag tone="warn">À confirmer</StatusTag>
        {reader.is_active ? null : <StatusTag tone="bad">Inscription terminée</StatusTag>}
        <Button variant="light" onClick={onConfirm}>
          {`Choisir ${name}`}
        </Button>
      </Group>
    </Stack>
  )
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
    detail: `Proche ${ofName(fullName(reader))}`,
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
          <Text fw={600}>{fullName(reader)}</Text>
          <Text size="sm" c="dimmed">
            {[reader.matricule, reader.reader_id].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <ActionIcon aria-label={inWords('Changer de lecteur')} onClick={() => onChoose(null)} c="dimmed">
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
            { value: '', label: 'Le lecteur' },
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
