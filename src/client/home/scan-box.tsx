import { Button, Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { IconBarcode, IconCamera } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'

import { useConnection } from '../api/connection.ts'
import { type Reader, readerSearchQuery } from '../beneficiaries/beneficiary-data.ts'
import { copySearchQuery } from '../catalogue/copy-data.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import { useParameter } from '../settings/parameter-data.ts'
import found from '../ui/search-picker.module.css'
import { useDebounced } from '../ui/use-debounced.ts'
import styles from './home.module.css'
import type { LaneReader } from './lane.ts'

type ScanBoxProps = {
  inputRef: RefObject<HTMLInputElement | null>
  onCode: (code: string) => void
  onReader: (chosen: LaneReader) => void
  onCamera: () => void
}

/** A name has no digit; card numbers, matricules and labels have some. */
const isName = (text: string) => !/\d/.test(text)
const shortestSearch = 2
const shortestAlone = 3
/** Tells the option of a copy from that of a reader. */
const copyOption = 'copy '

/** One field for a copy's code or title, a reader's number or name; the camera beside it. */
export function ScanBox({ inputRef, onCode, onReader, onCamera }: ScanBoxProps) {
  const [text, setText] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const client = useQueryClient()
  const isRelativeSearch = useParameter('relative_search') === '1'
  const still = useDebounced(text.trim())
  const isSearch = still.length >= shortestSearch && still === text.trim()
  const search = useQuery({ ...readerSearchQuery(still), enabled: isSearch })
  const readers = isSearch ? search.data : undefined
  const isOnline = useConnection() === 'online'
  const isTitle = isSearch && isOnline && still.length >= shortestAlone
  const titles = useQuery({ ...copySearchQuery(still), enabled: isTitle })
  const copies = isTitle ? titles.data : undefined

  const clear = () => {
    setText('')
    combobox.closeDropdown()
  }
  const choose = (reader: Reader, relative: number | null = null) => {
    clear()
    onReader({ reader, relative })
  }
  /** A single hit is chosen by itself, unless relatives are searched and the person has some (file 1, section 4). */
  const onlyOf = (found: readonly Reader[]): Reader | undefined => {
    const [only, ...others] = found
    return others.length > 0 || (isRelativeSearch && only && only.relatives.length > 0) ? undefined : only
  }
  useEffect(() => {
    const only = readers && still.length >= shortestAlone && isName(still) ? onlyOf(readers) : undefined
    if (only) choose(only)
    // oxlint-disable-next-line react/exhaustive-deps -- answers choose, not renders
  }, [readers])

  const submit = async () => {
    const typed = text.trim()
    if (typed === '') return
    if (!isName(typed)) {
      clear()
      onCode(typed)
      return
    }
    const named = await client.fetchQuery(readerSearchQuery(typed)).catch(() => [])
    const only = onlyOf(named)
    const isAnswered =
      named.length > 0 ||
      (isOnline && (await client.fetchQuery(copySearchQuery(typed)).catch(() => [])).length > 0)
    if (only) choose(only)
    else if (isAnswered) combobox.openDropdown()
    else {
      clear()
      onCode(typed)
    }
  }

  const isNothing = readers?.length === 0 && !titles.isFetching && (copies ?? []).length === 0
  return (
    <div className={`panel ${styles['scan']}`}>
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          const copy = copies?.find(({ bar_code }) => `${copyOption}${bar_code}` === value)
          if (copy) {
            clear()
            onCode(copy.bar_code)
            return
          }
          const [id, relative] = value.split('/').map(Number)
          const reader = readers?.find((one) => one.id === id)
          if (reader) choose(reader, relative ?? null)
        }}
      >
        <Combobox.Target>
          <TextInput
            ref={inputRef}
            type="search"
            label="Code-barres, carte ou nom du lecteur"
            placeholder={isOnline ? 'ou titre d’un exemplaire' : ''}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            value={text}
            leftSection={<IconBarcode size="1.75rem" aria-hidden />}
            leftSectionWidth="3.25rem"
            rightSection={search.isFetching || titles.isFetching ? <Loader size="xs" aria-hidden /> : null}
            onPointerDown={unlockSound}
            onChange={(event) => {
              setText(event.currentTarget.value)
              combobox.openDropdown()
            }}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && text !== '') {
                event.stopPropagation()
                clear()
              }
              if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() >= 0) return
              event.preventDefault()
              unlockSound()
              void submit()
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={readers === undefined || (isNothing && !isName(still))}>
          <Combobox.Options className={found['options'] ?? ''} aria-label="Lecteurs et exemplaires trouvés">
            {(readers ?? []).flatMap((reader) => [
              <Combobox.Option key={reader.id} value={String(reader.id)} mih="2.75rem">
                <Text span>{reader.label}</Text>
                {reader.is_active ? null : (
                  <Text component="div" size="sm" c="dimmed">
                    Inscription terminée
                  </Text>
                )}
              </Combobox.Option>,
              ...(isRelativeSearch ? reader.relatives : []).map((relative) => (
                <Combobox.Option
                  key={`${reader.id}/${relative.id}`}
                  value={`${reader.id}/${relative.id}`}
                  mih="2.75rem"
                >
                  <Text span>{relative.name}</Text>
                  <Text component="div" size="sm" c="dimmed">
                    Proche de {reader.firstname} {reader.lastname}
                  </Text>
                </Combobox.Option>
              )),
            ])}
            {(copies ?? []).map((copy) => (
              <Combobox.Option key={copy.bar_code} value={`${copyOption}${copy.bar_code}`} mih="2.75rem">
                <Text span>{copy.name}</Text>
                <Text component="div" size="sm" c="dimmed">
                  {[copy.bar_code, copy.status, copy.holder?.beneficiary_info].filter(Boolean).join(' · ')}
                </Text>
              </Combobox.Option>
            ))}
            {isNothing ? (
              <Combobox.Empty>
                {isOnline ? 'Aucun lecteur ni exemplaire ne correspond.' : 'Aucun lecteur ne correspond.'}
              </Combobox.Empty>
            ) : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Button
        className={styles['camera'] ?? ''}
        h="3.75rem"
        aria-label="Scanner"
        onClick={() => {
          unlockSound()
          onCamera()
        }}
      >
        <IconCamera size="1.5rem" aria-hidden />
        <span className={styles['word']}>Scanner</span>
      </Button>
    </div>
  )
}
