import { Select, SimpleGrid, Textarea } from '@mantine/core'

import { type CopyState, copyStates } from '../../domain/loan-rules.ts'
import { inWords } from '../page/house-words.ts'

/** What a person notes of one return; null and empty are nothing noted. */
export type ReturnNote = { state: CopyState | null; comment: string }
export const nothingNoted: ReturnNote = { state: null, comment: '' }

const stateChoices = Object.entries(copyStates).map(([value, label]) => ({ value, label }))

type ReturnFieldsProps = {
  /** State in which the copy left, where it is known. */
  left: CopyState | null
  note: ReturnNote
  onChange: (note: ReturnNote) => void
}

/** State and comment of a return; a copy comes back as it left unless said. */
export function ReturnFields({ left, note, onChange }: ReturnFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={inWords('État au retour')}
        data={stateChoices}
        placeholder="Inchangé"
        value={note.state ?? left}
        onChange={(state) => onChange({ ...note, state: state as CopyState | null })}
        allowDeselect={false}
      />
      <Textarea
        label={inWords('Commentaire de retour')}
        minRows={1}
        maxLength={2000}
        value={note.comment}
        onChange={(event) => onChange({ ...note, comment: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

/** What of a note travels: only what was chosen. */
export const noteToSend = ({ state, comment }: ReturnNote, penalty: 'keep' | 'waive') => ({
  ...(state === null ? {} : { state }),
  ...(comment.trim() === '' ? {} : { return_comment: comment.trim() }),
  ...(penalty === 'waive' ? { penalty: false } : {}),
})
