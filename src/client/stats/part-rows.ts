import type { Part } from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { FigureRow } from './figures-table.tsx'
import { shareWords } from './stat-words.ts'

/** More parts than that could not be told from one another; the others are one. */
const mostSlices = 6

export type Slice = { mark: string; name: string; count: number }

/** What a chart shows of parts, the largest first. */
export function slicesOf(parts: readonly Part[], unnamed: string): readonly Slice[] {
  const own = parts.length > mostSlices ? parts.slice(0, mostSlices - 1) : parts
  const others = parts.slice(own.length)
  return [
    ...own.map(({ name, count }, at) => ({ mark: String(at + 1), name: name ?? unnamed, count })),
    ...(others.length > 0
      ? [{ mark: '+', name: 'Autres', count: others.reduce((sum, { count }) => sum + count, 0) }]
      : []),
  ]
}

/** Where the rows of a part are listed. */
export type LinkOf = (part: Part) => string | undefined

/** By its id, where a list finds no others. */
export const byId =
  (link: (id: number) => string | undefined): LinkOf =>
  ({ id }) =>
    id === null ? undefined : link(id)

type PartRowsOptions = {
  total: number
  /** What stands for a part without a name. */
  unnamed: string
  linkOf?: LinkOf | undefined
  isMarked?: boolean
}

export const partRows = (
  parts: readonly Part[],
  { total, unnamed, linkOf, isMarked = false }: PartRowsOptions,
): readonly FigureRow[] =>
  parts.map((part, at) => ({
    key: `${part.id ?? ''} ${part.name ?? ''}`,
    name: part.name ?? unnamed,
    mark: isMarked ? markOf(parts.length, at) : undefined,
    to: linkOf?.(part),
    values: [frenchNumber(part.count), shareWords(part.count, total)],
  }))

const markOf = (count: number, at: number): string =>
  count > mostSlices && at >= mostSlices - 1 ? '+' : String(at + 1)
