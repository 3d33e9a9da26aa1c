/** One table of figures, as docs/measurements.md keeps them. */
export type Table = {
  title: string
  /** What the reader must know before believing the figures: conditions, what was not done. */
  notes?: readonly string[]
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/** A part of `npm run bench`, chosen by its name; tables are printed as they come. */
export type Section = {
  name: string
  run(): AsyncIterable<Table>
}

/** `small` finishes in about a minute; `full` is what docs/measurements.md keeps. */
export const benchScale: 'small' | 'full' = process.env['BENCH_SCALE'] === 'full' ? 'full' : 'small'

export function markdownOf({ title, notes = [], columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `## ${title}`,
    '',
    ...notes.flatMap((note) => [note, '']),
    ...(rows.length === 0 ? [] : [line(columns), line(columns.map(() => '---')), ...rows.map(line), '']),
  ].join('\n')
}

/** The value below which a part of the others lie; NaN where there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const inMs = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))
export const asRatio = (value: number): string => `${value.toFixed(2)} ×`

/** Said in place of a table that this machine cannot give. */
export const skipped = (title: string, why: string): Table => ({
  title,
  notes: [`Skipped: ${why}.`],
  columns: [],
  rows: [],
})
