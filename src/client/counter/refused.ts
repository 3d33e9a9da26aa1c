import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'

/** A code that was scanned or chosen and led to nothing, and why: it keeps a line until it is read. */
export type Refused = {
  code: string
  /** As the camera read it, to be asked for again. */
  symbology?: Symbology | undefined
  title: string
  message: string
  /** Nobody has it: a copy may get it. */
  isUnknown?: boolean
  /** Nobody could tell: asked again, it may be taken. */
  isTrouble?: boolean
  /** What a person may say that it is. */
  asks?: readonly CodeKind[]
}

export const kindWords: Record<CodeKind, string> = {
  beneficiary: 'C’est une carte',
  copy: 'C’est un exemplaire',
}

/** Of a loan whose card or label nobody could be asked about. */
export const verifiedLater = 'Sera vérifié dès que le réseau reviendra.'

/** What to do with a code that a card and a copy have. */
export const byItsName = 'Cherchez l’un ou l’autre par son nom.'

/** The newest first, and each code once. */
export const withRefused = <Line extends Refused>(refused: readonly Line[], line: Line): readonly Line[] => [
  line,
  ...withoutRefused(refused, line.code),
]

export const withoutRefused = <Line extends Refused>(
  refused: readonly Line[],
  code: string,
): readonly Line[] =>
  refused.some((line) => line.code === code) ? refused.filter((line) => line.code !== code) : refused
