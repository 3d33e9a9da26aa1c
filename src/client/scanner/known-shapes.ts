import type { CodeShape, CodeShapes } from '../../domain/code-shapes.ts'

/** Until what reads them is loaded. */
export const nothingKnown: CodeShapes = {
  fits: () => false,
  proves: () => false,
  mayGoOn: () => false,
  split: () => null,
  kindOf: () => null,
  resembles: () => null,
  figureLengths: new Set(),
}

let shapes = nothingKnown
let tellKnown: () => void
/** Fulfilled once the device has said what it knows. */
export const whenKnown = new Promise<void>((resolve) => (tellKnown = resolve))

/** Those of the snapshot in use. */
export async function knowShapes(learnt: readonly CodeShape[]): Promise<void> {
  const { codeShapesOf } = await import('../../domain/code-shapes.ts')
  shapes = codeShapesOf(learnt)
  tellKnown()
}

export const knownShapes = (): CodeShapes => shapes
