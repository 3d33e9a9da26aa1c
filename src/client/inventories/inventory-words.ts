import type { Inventory, InventoryStatus } from '../../contract/inventories.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { FindingAction, FindingGroup, ScanVerdict } from '../../domain/inventory.ts'
import { removedStatus } from '../../offline/inventory-rows.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'

type Of = { id: number }
export const addressOfInventory = ({ id }: Of) => `/inventories/view/${id}`
export const addressOfCount = ({ id }: Of) => `/inventories/count/${id}`
export const addressOfReview = ({ id }: Of) => `/inventories/review/${id}`

export const statusWords: Record<InventoryStatus, { tone: Tone; words: string }> = {
  open: { tone: 'good', words: 'En cours' },
  paused: { tone: 'wait', words: 'Suspendu' },
  applied: { tone: 'quiet', words: 'Appliqué' },
  given_up: { tone: 'quiet', words: 'Abandonné' },
}

export const isRemoved = ({ status }: { status: string }): boolean => status === removedStatus

export const isOver = (of: { status: string }): boolean =>
  of.status === 'applied' || of.status === 'given_up' || isRemoved(of)

/** What is said of a scan by word, colour and sound. */
export const verdictWords: Record<ScanVerdict, { word: string; tone: Tone; signal: ScanSignal }> = {
  found: { word: 'Trouvé', tone: 'good', signal: 'success' },
  already: { word: 'Déjà compté', tone: 'quiet', signal: 'warning' },
  elsewhere: { word: 'Ailleurs', tone: 'warn', signal: 'warning' },
  lent: { word: 'En prêt', tone: 'wait', signal: 'warning' },
  withdrawn: { word: 'Retiré', tone: 'bad', signal: 'refusal' },
  unknown: { word: 'Inconnu', tone: 'bad', signal: 'refusal' },
}

/** Somebody has more to do with the copy in hand than was said before. */
export function isWorse(before: ScanVerdict, after: ScanVerdict): boolean {
  return weight[after] > weight[before]
}
const weight: Record<ScanVerdict, number> = {
  found: 0,
  already: 0,
  elsewhere: 1,
  lent: 1,
  withdrawn: 2,
  unknown: 2,
}

/** « 34 sur 120 ». */
export const seenWords = ({ seen, expected }: Pick<Inventory, 'seen' | 'expected'>): string =>
  `${frenchNumber(seen)} sur ${frenchNumber(expected)}`

export const shareOf = ({ seen, expected }: Pick<Inventory, 'seen' | 'expected'>): number =>
  expected === 0 ? 100 : (100 * seen) / expected

export const noShelf = 'Sans emplacement'

type GroupWords = { title: string; about: string; count: (count: number) => string }
export const groupWords: Record<FindingGroup, GroupWords> = {
  missing: {
    title: 'Manquants',
    about: 'Attendus en rayon, et vus par personne.',
    count: (count) => counted(count, 'manquant', 'manquants'),
  },
  misplaced: {
    title: 'Mal rangés',
    about: 'Vus sur un autre rayon que le leur.',
    count: (count) => counted(count, 'mal rangé', 'mal rangés'),
  },
  on_shelf: {
    title: 'En rayon et prêtés',
    about: 'Notés en prêt, et pourtant vus en rayon.',
    count: (count) => counted(count, 'prêté vu en rayon', 'prêtés vus en rayon'),
  },
  found_again: {
    title: 'Retrouvés',
    about: 'Notés indisponibles, et vus en rayon.',
    count: (count) => counted(count, 'retrouvé', 'retrouvés'),
  },
  withdrawn: {
    title: 'Retirés',
    about: 'Sortis du fonds, et vus en rayon.',
    count: (count) => counted(count, 'retiré', 'retirés'),
  },
  unknown: {
    title: 'Inconnus',
    about: 'Scannés, et d’aucun exemplaire. Ajoutez-les au catalogue, ou mettez-les de côté.',
    count: (count) => counted(count, 'inconnu', 'inconnus'),
  },
}

export const actionWords: Record<FindingAction, string> = {
  unavailable: 'Rendre indisponibles',
  withdraw: 'Retirer du fonds',
  move: 'Ranger où ils ont été vus',
  return: 'Rendre leur prêt',
  available: 'Rendre disponibles',
  restore: 'Remettre au fonds',
}

/** « 12 seront retirés du fonds ». */
export const willBe: Record<FindingAction, (count: number) => string> = {
  unavailable: (count) =>
    counted(count, 'exemplaire deviendra indisponible', 'exemplaires deviendront indisponibles'),
  withdraw: (count) =>
    counted(count, 'exemplaire sera retiré du fonds', 'exemplaires seront retirés du fonds'),
  move: (count) =>
    counted(
      count,
      'exemplaire aura pour emplacement celui où il a été vu',
      'exemplaires auront pour emplacement celui où ils ont été vus',
    ),
  return: (count) => counted(count, 'prêt sera rendu', 'prêts seront rendus'),
  available: (count) =>
    counted(count, 'exemplaire redeviendra disponible', 'exemplaires redeviendront disponibles'),
  restore: (count) => counted(count, 'exemplaire reviendra au fonds', 'exemplaires reviendront au fonds'),
}
