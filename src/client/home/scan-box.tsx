import { Button, Loader, TextInput, useCombobox } from '@mantine/core'
import { IconBarcode, IconCamera } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'

import { useConnection } from '../api/connection.ts'
import { readerSearchQuery } from '../beneficiaries/beneficiary-data.ts'
import {
  onlyReader,
  type Proposal,
  proposalOf,
  useIsRelativeSearch,
  useProposedReader,
} from '../beneficiaries/use-proposed-reader.ts'
import { copySearchQuery } from '../catalogue/copy-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import { inWords } from '../page/house-words.ts'
import { sayError } from '../page/messages.ts'
import { unlockSound } from '../scanner/scan-feedback.ts'
import { brokenScan } from '../scanner/typed-scan.ts'
import { useAnswersField } from '../ui/forms/answers-field.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { optionFor } from './box-options.ts'
import styles from './home.module.css'
import { beforeNext, type LaneReader, type Said } from './lane.ts'

/** Fetched at once, and there before a search has answered. */
const ScanOptions = lazyPart(() => import('./scan-options.tsx'))

type ScanBoxProps = {
  inputRef: RefObject<HTMLInputElement | null>
  /** A new choice ends the name in the field. */
  chosen: LaneReader | null
  proposed: LaneReader | null
  /** A whole code, confirmed like a scan. */
  onCode: (code: string) => void
  /** A reader chosen in sight. */
  onReader: (chosen: LaneReader) => void
  /** A name confirmed before its answer; answers whether it chose somebody. */
  onName: (find: () => Promise<LaneReader | null>) => Promise<boolean>
  /** A pause's proposal, or null when it ends. */
  onPropose: (proposal: Proposal | null) => void
  /** A copy found by its title, to be looked up only. */
  onCopy: (copy: CounterCopy) => void
  onCamera: () => void
  /** What stood in the field when a scan came. */
  stood: RefObject<string>
  /** How the last thing ended. */
  last: Said | null
  /** The newest line is out of sight. */
  isLanePassed: boolean
}

const shortestSearch = 2
const shortestTitle = 3

/** Names and titles have letters between spaces; codes have a digit and no space. */
const isCode = (text: string) => /\d/.test(text) && !(/\s/.test(text) && /\p{L}/u.test(text))

/** One field for codes, titles, numbers and names, of which only a code acts. */
export function ScanBox({
  inputRef,
  chosen,
  proposed,
  onCamera,
  stood,
  last,
  isLanePassed,
  ...on
}: ScanBoxProps) {
  const [text, setText] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const client = useQueryClient()
  const isRelativeSearch = useIsRelativeSearch()
  const typed = text.trim()
  const still = useDebounced(typed)
  const isSearch = still.length >= shortestSearch && still === typed
  const search = useQuery({ ...readerSearchQuery(still), enabled: still.length >= shortestSearch })
  const readers = isSearch ? search.data : undefined
  const isOnline = useConnection() === 'online'
  const isTitle = isSearch && isOnline && still.length >= shortestTitle
  const titles = useQuery({ ...copySearchQuery(still), enabled: isTitle })
  const copies = isTitle ? titles.data : undefined
  const only = useProposedReader(typed, still, search.data)
  // A number may be the beginning of another, so only Enter confirms it.
  const proposal = only && !isCode(still) ? proposalOf(only, still, inputRef.current) : null

  useEffect(() => {
    on.onPropose(proposal)
    // oxlint-disable-next-line react/exhaustive-deps -- answers a proposal, not renders
  }, [proposal?.chosen.reader.id, still])
  // oxlint-disable-next-line react/exhaustive-deps -- once it is gone
  useEffect(() => () => on.onPropose(null), [])

  const clear = () => {
    setText('')
    combobox.closeDropdown()
  }
  useEffect(() => {
    // A name has found its reader, but a code is meant for what comes next.
    if (chosen && !isCode(typed)) clear()
    // oxlint-disable-next-line react/exhaustive-deps -- answers a choice, not renders
  }, [chosen])
  useEffect(() => {
    // A name begun before the scan would be joined with the next one; while its reader is proposed it stays.
    if (text !== '' && text === stood.current && !proposed) clear()
    stood.current = ''
    // oxlint-disable-next-line react/exhaustive-deps -- answers the end of the scan, not renders
  }, [last])

  const findOnly = async (): Promise<LaneReader | null> => {
    const found = await client.fetchQuery(readerSearchQuery(typed)).catch(() => [])
    const reader = onlyReader(found, isRelativeSearch)
    return reader && { reader, relative: null }
  }
  /** Throws where readers cannot be searched: nobody knows then that this is no name. */
  const isAnswered = async () =>
    (await client.fetchQuery(readerSearchQuery(typed))).length > 0 ||
    (isOnline && (await client.fetchQuery(copySearchQuery(typed)).catch(() => [])).length > 0)

  const submit = async () => {
    if (typed === '') return
    if (isCode(typed)) {
      clear()
      on.onCode(typed)
    } else if (proposed && typed === still) on.onReader(proposed)
    else if (await on.onName(findOnly)) return
    else if (await isAnswered()) combobox.openDropdown()
    else if (inputRef.current?.value.trim() === typed) {
      clear()
      on.onCode(typed)
    }
  }

  const keys = useAnswersField(combobox, (event) => {
    if (event.key === 'Escape' && text !== '') {
      event.stopPropagation()
      clear()
    }
    if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() >= 0) return
    event.preventDefault()
    unlockSound()
    submit().catch(sayError)
  })

  const isNothing = readers?.length === 0 && !titles.isFetching && (copies ?? []).length === 0
  return (
    <div className={`panel ${styles['scan']}`} data-scanning>
      <TextInput
        ref={inputRef}
        type="search"
        label={inWords('Code-barres, carte ou nom du lecteur')}
        placeholder={isOnline ? inWords('ou titre d’un exemplaire') : ''}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-scan-box
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
        {...keys}
      />
      <ScanOptions
        store={combobox}
        field={inputRef}
        onOption={(value) => {
          const { copy, reader } = optionFor(value, { readers, copies })
          clear()
          if (copy) on.onCopy(copy)
          if (reader) on.onReader(reader)
        }}
        readers={readers}
        copies={copies}
        isRelativeSearch={isRelativeSearch}
        // A proposed reader is in the card, which the list would cover.
        isHidden={
          readers === undefined ||
          (isNothing && isCode(still)) ||
          (proposed !== null && (copies ?? []).length === 0)
        }
        none={
          isNothing
            ? isOnline
              ? 'Aucun lecteur ni exemplaire ne correspond.'
              : 'Aucun lecteur ne correspond.'
            : null
        }
      />
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
      {/* Read aloud by the counter's own live region. */}
      {last ? (
        <p
          className={styles['last']}
          data-signal={last.signal}
          // No line of it is in sight.
          data-alone={isLanePassed || last.text === brokenScan.message || undefined}
          aria-hidden
        >
          <span>
            {last.text}
            <span className={styles['also']}>{last.more}</span>
          </span>
          {last.title === null ? null : <span>{beforeNext(last.text) + last.title}</span>}
        </p>
      ) : null}
    </div>
  )
}
