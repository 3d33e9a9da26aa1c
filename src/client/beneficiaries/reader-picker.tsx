import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useRef, useState } from 'react'

import { writtenForms } from '../../domain/bar-code.ts'
import { fullName } from '../../domain/person-names.ts'
import { inWords } from '../page/house-words.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { type Choice, SearchPicker } from '../ui/forms/search-picker.tsx'
import { type LoneHit, useLoneHit, useStandingHit } from '../ui/forms/use-lone-hit.ts'
import { useReadyField } from '../ui/forms/use-ready-field.ts'
import { Initials } from '../ui/cover.tsx'
import { inOneLine } from '../ui/in-one-line.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import {
  carries,
  findReaderByNumber,
  type Reader,
  readerSearchQuery,
  type ScannedReader,
} from './beneficiary-data.ts'
import { readerWords, relativeOf } from './hit-words.ts'
import { onlyReader, useIsRelativeSearch, useProposedReader } from './use-proposed-reader.ts'

/** `relative` borrows in the reader's name. */
export type ChosenReader = { reader: Reader; relative: number | null }

type ReaderPickerProps = {
  chosen: ChosenReader | null
  onChoose: (chosen: ChosenReader | null) => void
  /** Something was built on the choice, which typing on takes back no more. */
  isUsed?: boolean
  /** Where the counter's work begins, or goes on. */
  order?: 'first' | 'next' | null
  /** False where it does not matter for whom, as for returns. */
  withRelative?: boolean
}

export const ReaderPicker = memo(function ReaderPicker({
  chosen,
  onChoose,
  isUsed = false,
  order = null,
  withRelative = true,
}: ReaderPickerProps) {
  const choose = (reader: Reader | null) => onChoose(reader && { reader, relative: null })
  const lone = useLoneHit(chosen?.reader.id ?? null, choose, isUsed)
  return (
    <>
      {lone.isSearching ? <ReaderSearch lone={lone} order={order} onChoose={onChoose} /> : null}
      {chosen ? <ChosenOne chosen={chosen} onChoose={onChoose} withRelative={withRelative} /> : null}
    </>
  )
})

type ReaderSearchProps = Pick<ReaderPickerProps, 'onChoose' | 'order'> & {
  lone: LoneHit<Reader>
  error?: string | undefined
}

export function ReaderSearch({ onChoose, order = null, lone, error }: ReaderSearchProps) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  useReadyField(field, order)
  const [text, setText] = useState('')
  const typed = text.trim()
  const still = useDebounced(typed)
  const isRelativeSearch = useIsRelativeSearch()
  const { data, isFetching, error: failure } = useQuery(readerSearchQuery(still))
  const readers = still === typed && still !== '' ? data : undefined
  const proposed = useProposedReader(typed, still, data)

  // A number may be the beginning of another.
  const isWhole = !/\d/.test(still) || (proposed !== null && carries(proposed, still))
  useStandingHit(lone, isWhole ? proposed : null)

  const choose = (next: ChosenReader) => {
    lone.settle()
    onChoose(next)
  }
  const pick = (value: string) => {
    const [id, relative] = value.split('/').map(Number)
    const reader = readers?.find((one) => one.id === id)
    if (reader) choose({ reader, relative: relative ?? null })
  }
  /** Enter takes a whole number, the proposed person, or the only one with that name. */
  const takeTyped = async (code: string) => {
    if (proposed && code === still && !carries(proposed, code))
      return choose({ reader: proposed, relative: null })
    const found = await findScannedReader(code).catch(() => null)
    if (found) return choose(found)
    const only = onlyReader(
      await client.fetchQuery(readerSearchQuery(code)).catch(() => []),
      isRelativeSearch,
    )
    if (only && field.current?.value.trim() === code) choose({ reader: only, relative: null })
  }
  return (
    <SearchPicker
      label="Lecteur"
      placeholder="Nom, matricule ou carte"
      text={text}
      onText={setText}
      choices={lone.isChosen ? undefined : readers?.flatMap((reader) => choicesOf(reader, isRelativeSearch))}
      isSearching={isFetching || still !== typed}
      none="Aucun lecteur actif ne correspond."
      onPick={pick}
      onEnter={(code) => void takeTyped(code)}
      onUnchoose={lone.isChosen ? lone.unchoose : undefined}
      error={failure ? failure.message : error}
      inputRef={field}
    />
  )
}

const choicesOf = (reader: Reader, isRelativeSearch: boolean): Choice[] => [
  {
    value: String(reader.id),
    label: fullName(reader),
    face: <Initials name={fullName(reader)} />,
    told: readerWords(reader),
    now: reader.is_active ? undefined : 'Inscription terminée',
  },
  ...(isRelativeSearch ? reader.relatives : []).map(({ id, name, reader_id }) => ({
    value: `${reader.id}/${id}`,
    label: name,
    face: <Initials name={name} />,
    told: inOneLine([relativeOf(reader), reader_id]),
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
          data={[{ value: '', label: 'Le lecteur' }, ...reader.relatives.map(asChoice)]}
          value={relative === null ? '' : String(relative)}
          onChange={(value) => onChoose({ reader, relative: value ? Number(value) : null })}
          allowDeselect={false}
        />
      ) : null}
    </Stack>
  )
}

async function findScannedReader(code: string): Promise<ScannedReader | null> {
  for (const form of writtenForms(code)) {
    const found = await findReaderByNumber(form)
    if (found) return found
  }
  return null
}
