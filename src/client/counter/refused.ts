import type { Symbology } from '../../domain/bar-code.ts'

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
}

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
