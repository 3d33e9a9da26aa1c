/** What labels are printed on, in millimetres: sheets of columns and rows, or a roll of one label a page. */
export type LabelSheet = {
  name: string
  page: Size
  label: Size
  /** Of the first label, from the page's corner. */
  left: number
  top: number
  /** From one label's edge to the next one's. */
  pitch: { x: number; y: number }
  columns: number
  rows: number
  /** Of a thermal printer, whose bars are whole dots; null for sheets. */
  dpi: number | null
}

type Size = { width: number; height: number }

export const a4: Size = { width: 210, height: 297 }

const sheet = (
  name: string,
  label: Size,
  {
    left,
    top,
    gap,
    columns,
    rows,
  }: { left: number; top: number; gap: number; columns: number; rows: number },
): LabelSheet => ({
  name,
  page: a4,
  label,
  left,
  top,
  pitch: { x: label.width + gap, y: label.height },
  columns,
  rows,
  dpi: null,
})

export const roll = (name: string, label: Size, dpi: number): LabelSheet => ({
  name,
  page: label,
  label,
  left: 0,
  top: 0,
  pitch: { x: label.width, y: label.height },
  columns: 1,
  rows: 1,
  dpi,
})

/** What people measure themselves, in tenths of a millimetre: A4 sheets, or a roll of so many dots an inch. */
export type SheetKind = 'sheet' | 'roll_203' | 'roll_300'

export type OwnSheet = {
  name: string
  kind: SheetKind
  label_width: number
  label_height: number
  margin_left: number
  margin_top: number
  /** 0 where labels touch. */
  pitch_x: number
  pitch_y: number
  columns: number
  rows: number
}

export function sheetOf(own: OwnSheet): LabelSheet {
  const label = { width: own.label_width / 10, height: own.label_height / 10 }
  if (own.kind !== 'sheet') return roll(own.name, label, own.kind === 'roll_203' ? 203 : 300)
  return {
    name: own.name,
    page: a4,
    label,
    left: own.margin_left / 10,
    top: own.margin_top / 10,
    pitch: {
      x: own.pitch_x > 0 ? own.pitch_x / 10 : label.width,
      y: own.pitch_y > 0 ? own.pitch_y / 10 : label.height,
    },
    columns: own.columns,
    rows: own.rows,
    dpi: null,
  }
}

/** As their makers measure them. */
export const knownSheets = {
  L7160: sheet(
    'Avery L7160, 21 étiquettes de 63,5 × 38,1 mm',
    { width: 63.5, height: 38.1 },
    { left: 7.2, top: 15.1, gap: 2.5, columns: 3, rows: 7 },
  ),
  L7159: sheet(
    'Avery L7159, 24 étiquettes de 63,5 × 33,9 mm',
    { width: 63.5, height: 33.9 },
    { left: 7.2, top: 12.9, gap: 2.5, columns: 3, rows: 8 },
  ),
  L7651: sheet(
    'Avery L7651, 65 étiquettes de 38,1 × 21,2 mm',
    { width: 38.1, height: 21.2 },
    { left: 4.75, top: 10.7, gap: 2.5, columns: 5, rows: 13 },
  ),
  DYMO_11354: roll('DYMO 11354, 57 × 32 mm', { width: 57, height: 32 }, 300),
  DYMO_11352: roll('DYMO 11352, 54 × 25 mm', { width: 54, height: 25 }, 300),
  DYMO_99012: roll('DYMO 99012, 89 × 36 mm', { width: 89, height: 36 }, 300),
  DK_11209: roll('Brother DK-11209, 62 × 29 mm', { width: 62, height: 29 }, 300),
  DK_11204: roll('Brother DK-11204, 54 × 17 mm', { width: 54, height: 17 }, 300),
  ROLL_50_25: roll('Rouleau de 50 × 25 mm à 203 points par pouce', { width: 50, height: 25 }, 203),
  ROLL_57_32: roll('Rouleau de 57 × 32 mm à 203 points par pouce', { width: 57, height: 32 }, 203),
} as const satisfies Record<string, LabelSheet>
export type KnownSheet = keyof typeof knownSheets

export const isKnownSheet = (key: string): key is KnownSheet => Object.hasOwn(knownSheets, key)

export const labelsOnPage = ({ columns, rows }: Pick<LabelSheet, 'columns' | 'rows'>): number =>
  columns * rows

/** Where the label counted `n` from 0 has its top left corner, row by row. */
export function placeOf(on: LabelSheet, n: number): { page: number; x: number; y: number } {
  const place = n % labelsOnPage(on)
  return {
    page: Math.floor(n / labelsOnPage(on)),
    x: on.left + (place % on.columns) * on.pitch.x,
    y: on.top + Math.floor(place / on.columns) * on.pitch.y,
  }
}

/** From which place labels are printed, counted from 1; in pairs, two that belong together never part. */
export type LabelRun = { first: number; inPairs: boolean }

/** Where the label counted `n` from 0 of a run has its top left corner. */
export function placeInRun(
  on: LabelSheet,
  n: number,
  { first, inPairs }: LabelRun,
): ReturnType<typeof placeOf> {
  const from = (first - 1) % labelsOnPage(on)
  // Where there is one column, a pair stands one under the other.
  const line = on.columns > 1 ? on.columns : on.rows
  if (!inPairs || line === 1) return placeOf(on, from + n)
  const pair = Math.floor(n / 2)
  const onFirstLine = Math.floor((line - (from % line)) / 2)
  if (pair < onFirstLine) return placeOf(on, from + n)
  const later = pair - onFirstLine
  const onLine = Math.floor(line / 2)
  const lines = Math.floor(from / line) + 1 + Math.floor(later / onLine)
  return placeOf(on, lines * line + 2 * (later % onLine) + (n % 2))
}

/** How many pages a run of labels is printed on. */
export const pagesOfRun = (on: LabelSheet, labels: number, run: LabelRun): number =>
  labels === 0 ? 0 : placeInRun(on, labels - 1, run).page - placeInRun(on, 0, run).page + 1

/** Whether every label lies on the page, none over another; a hair is allowed for what is rounded. */
export function fitsPage({ page, label, left, top, pitch, columns, rows }: LabelSheet): boolean {
  const hair = 0.05
  return (
    left + (columns - 1) * pitch.x + label.width <= page.width + hair &&
    top + (rows - 1) * pitch.y + label.height <= page.height + hair &&
    (columns === 1 || pitch.x >= label.width - hair) &&
    (rows === 1 || pitch.y >= label.height - hair)
  )
}

/** As finely as office printers draw. */
const sheetDpi = 1200

export const dotOf = ({ dpi }: Pick<LabelSheet, 'dpi'>): number => 25.4 / (dpi ?? sheetDpi)

/** The nearest whole dot. */
export const onDot = (on: Pick<LabelSheet, 'dpi'>, millimetres: number): number => {
  const dot = dotOf(on)
  return Math.round(millimetres / dot) * dot
}

/** Narrower modules are not read well, wider ones no better. */
const narrowestModule = 0.16
const widestModule = 0.4
const fewestDots = 2

/** How wide a module is, in whole dots and in millimetres; null where so many do not fit. */
export function moduleFor(on: LabelSheet, modules: number, width: number): number | null {
  const dot = dotOf(on)
  const least = Math.max(fewestDots, Math.ceil(narrowestModule / dot))
  const most = Math.max(least, Math.floor(widestModule / dot))
  const dots = Math.min(most, Math.floor(width / dot / modules))
  return dots < least ? null : dots * dot
}

/** White at a label's edges. */
export const padding = 2

/** White above what is on a label and beneath it: small labels have less. */
export const paddingAbove = ({ label }: Pick<LabelSheet, 'label'>): number =>
  Math.min(padding, 1 + label.height / 30)

/** Where the calibration sheet draws its two lines, from the page's left and top edges. */
export const calibrationLine = 10

/** What moves all that a printer prints, from where its calibration lines were measured to be. */
export const offsetOf = (measured: { left: number; top: number }): { x: number; y: number } => ({
  x: calibrationLine - measured.left,
  y: calibrationLine - measured.top,
})

/** A call number in at most three lines, parted where it has spaces, as a spine label without a code has always been. */
export function spineLines(callNumber: string): string[] {
  const parts = callNumber.trim().split(/\s+/)
  return parts.length <= 3 ? parts : [parts[0] ?? '', parts[1] ?? '', parts.slice(2).join(' ')]
}

/** No mark that a spine has room for is longer, and a text of thousands of words would keep the server for seconds. */
const longestMark = 120

/** A longer word would make small letters of the whole mark: it is parted behind its own hyphens and slashes. */
const longestWord = 12

/** A shelf mark in so many lines at most: a part of it in each, or where there are more parts, the longest line as short as can be. */
export function shelfMarkLines(mark: string, most: number): string[] {
  // The space behind a word tells it from what is only parted.
  const parts = mark
    .trim()
    .slice(0, longestMark)
    .split(/\s+/)
    .flatMap(
      (word) => (word.length > longestWord ? `${word} `.match(/[^-/]+[-/ ]*|[-/]+ ?/g) : null) ?? `${word} `,
    )
  for (let longest = Math.max(...parts.map(lengthOf)); ; longest += 1) {
    const lines = parts.length <= most ? parts : filled(parts, longest)
    if (lines.length <= most) return lines.map((line) => line.trimEnd())
  }
}

const lengthOf = (line: string): number => line.trimEnd().length

function filled(parts: readonly string[], longest: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = (lines.at(-1) ?? '') + part
    if (lines.length > 0 && lengthOf(longer) <= longest) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}
