import type { Letter } from '../../contract/letters.ts'
import type { Tone } from '../ui/status-tag.tsx'

export const letterStates: Record<Letter['status'], { tone: Tone; words: string }> = {
  to_print: { tone: 'wait', words: 'À imprimer' },
  printed: { tone: 'good', words: 'Imprimée' },
  stopped: { tone: 'quiet', words: 'Tout rendu' },
}

export const whyWords: Record<Letter['why'], string> = {
  no_address: 'Sans adresse électronique',
  refused: 'Adresse refusée',
}
