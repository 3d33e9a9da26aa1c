import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type Ref, useEffect } from 'react'

import styles from './search-picker.module.css'
import { inWords } from '../../page/house-words.ts'
import { HitLine, type HitLook } from '../hit-line.tsx'

export type Choice = HitLook & { value: string; disabled?: boolean }

type SearchPickerProps = {
  label: string
  placeholder?: string
  text: string
  onText: (text: string) => void
  /** Undefined while nothing was searched. */
  choices: readonly Choice[] | undefined
  isSearching: boolean
  none: string
  onPick: (value: string) => void
  /** Enter without a choice: the text is a code. */
  onEnter: (text: string) => void
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** Where a dialog begins. */
  isFirst?: boolean
  /** What the search chose by itself is taken back. */
  onUnchoose?: (() => void) | undefined
  /** A single hit is under the arrow at once, for Enter. */
  isOnlyMarked?: boolean
}

/** A search with a list of answers for finger, mouse or arrows; the caller holds the text. */
export function SearchPicker(props: SearchPickerProps) {
  const { text, onText, choices, isSearching, none, onPick, onEnter, error, inputRef, onUnchoose } = props
  const label = inWords(props.label)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const isAnswered = choices !== undefined && text.trim() !== ''
  const only = props.isOnlyMarked && isAnswered && choices.length === 1 ? choices[0]!.value : null
  const isMarked = only !== null && combobox.dropdownOpened
  useEffect(() => {
    if (isMarked) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
    // oxlint-disable-next-line react/exhaustive-deps -- other answers, no choice of several under the arrow yet
  }, [choices, isMarked])
  return (
    <>
      <Combobox
        // Without answers nothing is open, and Escape is for what the field stands in.
        store={{ ...combobox, dropdownOpened: combobox.dropdownOpened && isAnswered }}
        // Drawn beside its field, so that the answers are inside the page's main part.
        withinPortal={false}
        onOptionSubmit={(value) => {
          combobox.closeDropdown()
          onPick(value)
        }}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={inputRef ?? null}
            type="search"
            data-autofocus={props.isFirst || undefined}
            // A dialog takes its scans itself and may write them here: the next one is not their end.
            data-scan-box={props.isFirst ? undefined : true}
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- its target gives them
            role="combobox"
            label={label}
            placeholder={inWords(props.placeholder ?? '')}
            autoComplete="off"
            value={text}
            error={error}
            leftSection={<IconSearch size="1.2rem" aria-hidden />}
            rightSection={isSearching ? <Loader size="xs" aria-hidden /> : null}
            onChange={(event) => {
              onText(event.currentTarget.value)
              combobox.openDropdown()
            }}
            onFocus={() => {
              // A dialog gave it the focus, and says by itself what it was opened with.
              if (!props.isFirst) combobox.openDropdown()
            }}
            onBlur={() => combobox.closeDropdown()}
            // Before the kit, which closes the answers by Escape.
            onKeyDownCapture={(event) => {
              if (event.key !== 'Escape' || !onUnchoose) return
              event.preventDefault()
              event.stopPropagation()
              combobox.openDropdown()
              onUnchoose()
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() >= 0) return
              event.preventDefault()
              if (text.trim() !== '') onEnter(text.trim())
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options className={styles['options'] ?? ''} aria-label={`${label}\u202f: résultats`}>
            {choices?.map(({ value, disabled, ...look }) => (
              <Combobox.Option
                key={value}
                value={value}
                disabled={disabled ?? false}
                className={styles['choice'] ?? ''}
              >
                <HitLine {...look} />
              </Combobox.Option>
            ))}
            {choices?.length === 0 && !isSearching ? <Combobox.Empty>{inWords(none)}</Combobox.Empty> : null}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Text size="sm" c="dimmed" aria-live="polite">
        {onUnchoose
          ? 'Seul résultat, retenu. Échap pour reprendre la recherche.'
          : isMarked
            ? 'Seul résultat\u202f: Entrée pour le prendre, Échap pour le laisser.'
            : null}
      </Text>
    </>
  )
}
