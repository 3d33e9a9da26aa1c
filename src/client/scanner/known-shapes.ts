import { type CodeShape, type CodeShapes, codeShapesOf } from '../../domain/code-shapes.ts'

let shapes = codeShapesOf([])

/** Those of the snapshot in use. */
export function knowShapes(learnt: readonly CodeShape[]): void {
  shapes = codeShapesOf(learnt)
}

export const knownShapes = (): CodeShapes => shapes
