import type { CopyStatus } from '../../domain/loan-rules.ts'
import type { Tone } from '../ui/status-tag.tsx'

export const copyTones: Record<CopyStatus, Tone> = {
  Disponible: 'good',
  'En Location': 'wait',
  'En transfert': 'wait',
  'Non Disponible': 'warn',
}
