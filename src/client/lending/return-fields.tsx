import { Select, SimpleGrid, Textarea } from '@mantine/core'

import { type CopyState, copyStates } from '../../domain/loan-rules.ts'
import { choicesOf } from '../ui/forms/as-choice.ts'
import styles from './counter.module.css'
import { inWords } from '../page/house-words.ts'

/** What a person notes of one return; null and empty are nothing noted. */
export type ReturnNote = { state: CopyState | null; comment: string; is_waived: boolean }
export const nothingNoted: ReturnNote = { state: null, comment: '', is_waived: false }

const stateChoices = choicesOf(copyStates)

const closedUntilOpened = { keepMounted: false }

type ReturnFieldsProps = {
  /** State in which the copy left, where it is known. */
  left: CopyState | null
  note: ReturnNote
  /** They were unfolded by a press, and the next key is theirs. */
  isFocused: boolean
  onChange: (note: ReturnNote) => void
}

/** State and comment of a return; a copy comes back as it left unless said. */
export function ReturnFields({ left, note, isFocused, onChange }: ReturnFieldsProps) {
  // A press has just unfolded them.
  const unfolded = { autoFocus: isFocused }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={inWords('État au retour')}
        data={stateChoices}
        {...unfolded}
        // Its list is made when it is opened: each ticked line has one.
        comboboxProps={closedUntilOpened}
        placeholder="Inchangé"
        value={note.state ?? left}
        onChange={(state) => onChange({ ...note, state: state as CopyState | null })}
        allowDeselect={false}
      />
      <Textarea
        label={inWords('Commentaire de retour')}
        // It grows by its style: measured by the program, it would have the page laid out once more for each line.
        autosize={false}
        rows={1}
        classNames={{ input: styles['grows'] ?? '' }}
        maxLength={2000}
        value={note.comment}
        onChange={(event) => onChange({ ...note, comment: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

/** What of a note travels: only what was chosen. */
export const noteToSend = ({ state, comment, is_waived }: ReturnNote) => ({
  ...(state === null ? {} : { state }),
  ...(comment.trim() === '' ? {} : { return_comment: comment.trim() }),
  ...(is_waived ? { penalty: false } : {}),
})
