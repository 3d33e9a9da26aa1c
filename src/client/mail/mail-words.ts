import type { Letter } from '../../contract/letters.ts'
import type { OutgoingMail } from '../../contract/mail.ts'
import { isMailCode, occasionOf } from '../../domain/mail-occasions.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'

export const letterStates: Record<Letter['status'], { tone: Tone; words: string }> = {
  to_print: { tone: 'wait', words: 'À imprimer' },
  printed: { tone: 'good', words: 'Imprimée' },
  stopped: { tone: 'quiet', words: 'Tout rendu' },
}

export const whyWords: Record<Letter['why'], string> = {
  no_address: 'Sans adresse électronique',
  refused: 'Adresse refusée',
}

export const mailStates: Record<OutgoingMail['status'], { tone: Tone; words: string }> = {
  queued: { tone: 'wait', words: 'En attente' },
  sent: { tone: 'good', words: 'Envoyé' },
  written: { tone: 'warn', words: 'Écrit dans un fichier' },
  failed: { tone: 'bad', words: 'En échec' },
  stopped: { tone: 'quiet', words: 'Arrêté' },
}

export const templateName = (code: string): string => (isMailCode(code) ? occasionOf(code).name : 'À la main')

/** What a person does about a mail that did not leave; empty where there is nothing to do. */
export function whatToDo({ status, fault, last_error, next_attempt_at, name }: OutgoingMail): string {
  if (status === 'sent') return ''
  if (status === 'written') return 'N’est arrivé à personne\u202f: le courrier n’est pas branché.'
  if (status === 'stopped') return last_error ?? ''
  const again = next_attempt_at === null ? '' : `nouvel essai le ${frenchInstant(next_attempt_at)}`
  if (status === 'queued') {
    if (last_error === null) return ''
    const what =
      fault === 'server' ? 'La messagerie ne répond pas' : 'La messagerie l’a refusé pour l’instant'
    return again === '' ? `${what}.` : `${what}\u202f: ${again}.`
  }
  switch (fault) {
    case 'address':
      return `Corrigez l’adresse${name === null ? '' : ` de ${name}`}, puis réessayez.`
    case 'message':
      return 'La messagerie refuse ce texte\u202f: relisez son modèle.'
    case 'template':
      return 'Son modèle ne peut pas être lu\u202f: corrigez-le.'
    default:
      return 'La messagerie n’a pas répondu\u202f: prévenez la personne qui s’en occupe, puis réessayez.'
  }
}
