import type { CopyStatus } from './loan-rules.ts'

/** Not in the library's hands: its availability is not changed, and it is not removed. */
export const outWords = { 'En Location': 'en prêt', 'En transfert': 'en transfert' } as const
export const isOut = (status: CopyStatus): status is keyof typeof outWords => status in outWords

/** Why a copy left that an import had brought by mistake: it was never in the stock. */
export const neverCame = 'Ajout annulé'
