import type { CodeShape, CodeShapes } from '../../domain/code-shapes.ts'

/** Until what reads them is loaded. */
export const nothingKnown: CodeShapes = {
  fits: () => false,
  proves: () => false,
  mayGoOn: () => false,
  split: () => null,
  kindOf: () => null,
  figureLengths: new Set(),
}

let shapes = nothingKnown

/** Those of the snapshot in use. */
export async function knowShapes(learnt: readonly CodeShape[]): Promise<void> {
  const { codeShapesOf } = await import('../../domain/code-shapes.ts')
  shapes = codeShapesOf(learnt)
}

export const knownShapes = (): CodeShapes => shapes
