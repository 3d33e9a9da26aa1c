import { sealFaults } from '../contract/seal.ts'
import type { RefusalReason } from '../domain/refusal-reasons.ts'
import type { Entry, Problem } from './entry.ts'
import { ownProblem } from './send-entry.ts'

/** The action came in a file from somebody else, or was stored before the session had its key. */
export const importedProblem: Problem = ownProblem(
  'IMPORTED',
  'Cette action est venue d’un fichier\u202f: confirmez qu’elle est de vous.',
)
export const unsealedProblem: Problem = ownProblem(
  'UNSEALED',
  'Rien ne prouve que cette action est de vous\u202f: confirmez-la.',
)

const reasons: readonly (RefusalReason | null)[] = [...sealFaults, 'IMPORTED', 'RECEIPT_LOST', 'UNSEALED']

export const isToConfirm = ({ state, problem }: Pick<Entry, 'state' | 'problem'>): boolean =>
  state === 'conflict' && reasons.includes(problem?.reason ?? null)

/** It was confirmed once, and the database no longer knows it. */
export const isLost = ({ problem }: Pick<Entry, 'problem'>): boolean => problem?.reason === 'RECEIPT_LOST'
