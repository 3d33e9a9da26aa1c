import { actRights } from './act-rights.ts'
import type { Right } from './rights.ts'

type ActRight = (typeof actRights)[number]

type Kind = {
  words: string
  /** Any of these rights does such an act, sees it and takes it back. */
  rights: readonly [ActRight, ...ActRight[]]
  /** What takes back another person's takes as well. */
  othersNeed?: readonly Right[]
  /** By what the journal says that it did, the right to take that back. */
  undoNeeds?: Readonly<Record<string, Right>>
}

/** What is done to many records at once, and can be taken back as a whole. */
export const actKinds = {
  'list_values.merge': { words: 'Fusion de valeurs', rights: ['PARAMETER_REFERENCE'] },
  'copies.change': { words: 'Modification d’exemplaires', rights: ['COPY_MODIFY'] },
  'copies.remove': { words: 'Retrait d’exemplaires', rights: ['COPY_DELETE'] },
  'weeding.withdraw': { words: 'Désherbage', rights: ['COPY_DELETE'] },
  'import.references': {
    words: 'Import de références',
    rights: ['REFERENCE_IMPORT'],
    othersNeed: ['REFERENCE_DELETE', 'COPY_DELETE'],
  },
  'import.readers': { words: 'Import de lecteurs', rights: ['BENEFICIARY_EDIT'] },
  'import.loans': { words: 'Import de prêts', rights: ['LOANING_OVERRIDE'], othersNeed: ['LOANING_DELETE'] },
  'inventory.apply': {
    words: 'Inventaire appliqué',
    rights: ['INVENTORY'],
    othersNeed: ['COPY_MODIFY', 'COPY_DELETE', 'LOANING_RETURN'],
    undoNeeds: {
      'copies.change': 'COPY_MODIFY',
      'copies.restore': 'COPY_MODIFY',
      'copies.remove': 'COPY_DELETE',
      'loan.return': 'LOANING_RETURN',
    },
  },
  'closures.close': { words: 'Fermeture', rights: ['PARAMETER_SITE'] },
  'readers.erase': { words: 'Effacement de lecteurs', rights: ['BENEFICIARY_EDIT'] },
  'acts.undo': { words: 'Annulation', rights: actRights },
} as const satisfies Record<string, Kind>

export type ActKind = keyof typeof actKinds
export const actKindCodes = Object.keys(actKinds) as [ActKind, ...ActKind[]]

/** Those that a page begins and then fills by calls of its own, each under the act's number. */
export const begunActs = ['copies.change', 'copies.remove'] as const satisfies readonly ActKind[]

export const wordsOfAct = (kind: ActKind): Kind => actKinds[kind]

/** Why an act cannot be undone while another undoing of it goes on, by which a page knows that it does. */
export const undoingGoesOn = 'Son annulation est en cours.'

/** The kinds that whoever holds these rights sees. */
export const actsOpenTo = (rights: ReadonlySet<Right>): ActKind[] =>
  actKindCodes.filter((kind) => wordsOfAct(kind).rights.some((right) => rights.has(right)))

/** The kinds of which whoever holds these rights takes back another person's. */
export const undoableByOthers = (rights: ReadonlySet<Right>): ActKind[] =>
  actsOpenTo(rights).filter((kind) => (wordsOfAct(kind).othersNeed ?? []).every((right) => rights.has(right)))

/** What of such an act whoever holds these rights cannot take back, as the journal says it. */
export const notUndoableBy = (kind: ActKind, rights: ReadonlySet<Right>): string[] =>
  Object.entries(wordsOfAct(kind).undoNeeds ?? {}).flatMap(([action, right]) =>
    rights.has(right) ? [] : [action],
  )
