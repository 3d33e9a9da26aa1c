import type { Act } from '../../contract/acts.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'

/** How far an act has been taken back, as a state. */
export function actState({ kind, touched, undone, ended_at, fixed }: Act): { tone: Tone; words: string } {
  if (ended_at === null) return { tone: 'wait', words: 'En cours' }
  if (kind === 'acts.undo') return { tone: 'quiet', words: 'Annulation' }
  if (undone === 0) return { tone: 'quiet', words: fixed ?? 'En vigueur' }
  if (undone >= touched) return { tone: 'good', words: 'Annulé' }
  return { tone: 'warn', words: `Annulé, sauf ${touched - undone}` }
}

export const touchedWords = (touched: number): string =>
  counted(touched, 'élément', 'éléments', 'Aucun élément')
