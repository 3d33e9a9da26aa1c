import * as v from 'valibot'

import { spineCodes, spineSides, usualSide } from '../domain/spine-codes.ts'
import { copyTypes } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { labelList, listLabelled } from './label-list.ts'
import type { ListShape } from './list.ts'
import { atMost, id, uuid } from './wire.ts'

/** Each copy's labels count. */
export const mostLabels = 2000
export const mostEach = 20

const wholeIn = (from: number, to: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `doit être un nombre entier de ${from} à ${to}`),
    v.transform(Number),
    v.minValue(from, `doit être au moins ${from}`),
    v.maxValue(to, `doit être au plus ${to}`),
  )
const idInQuery = v.pipe(
  v.string(),
  v.regex(/^(?:\/api\/[a-z_]+\/)?[1-9]\d{0,8}$/, 'doit être un identifiant'),
  v.transform((text) => Number(text.split('/').at(-1))),
)
const idsInQuery = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,499}$/, 'doit être une liste de 500 identifiants au plus'),
  v.transform((text) => text.split(',').map(Number)),
)

export const labelKinds = ['bar_code', 'spine', 'both'] as const
export type LabelKind = (typeof labelKinds)[number]

/** The labels that a kind is of one copy, in turn. */
export const labelsOfKind: Record<LabelKind, readonly Exclude<LabelKind, 'both'>[]> = {
  bar_code: ['bar_code'],
  spine: ['spine'],
  both: ['bar_code', 'spine'],
}

/** What a label says beside its code. */
export const labelLines = ['title', 'call_number', 'library'] as const
export type LabelLine = (typeof labelLines)[number]

const lines = v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^(|(${labelLines.join('|')})(,(${labelLines.join('|')})){0,2})$`),
    `doit être une liste parmi ${labelLines.join(', ')}`,
  ),
  v.transform((text) => labelLines.filter((line) => text.split(',').includes(line))),
)

/** A known sheet's key, or the id of one that people measured. */
const sheetKey = v.pipe(
  v.string(),
  v.regex(/^(?:[A-Z][A-Z0-9_]{0,19}|[1-9]\d{0,8})$/, 'n’est pas une planche'),
)

const which = {
  /** Of references. */
  ids: v.optional(idsInQuery),
  /** `next`: codes that no copy has; else the list's own filter. */
  type: v.optional(v.picklist(['next', ...copyTypes], `doit être next, ${copyTypes.join(', ')}`)),
  site: v.optional(idInQuery),
  each: v.optional(wholeIn(1, mostEach)),
  kind: v.optional(v.picklist(labelKinds, `doit être ${labelKinds.join(', ')}`)),
} as const

const sides = spineSides.map(String)

const how = {
  sheet: v.optional(sheetKey),
  /** Of the first sheet, from 1. */
  first: v.optional(wholeIn(1, 1000)),
  show: v.optional(lines),
  /** On the spine; without it a label of the kind `spine` has three lines alone, and one of `both` a Data Matrix. */
  code: v.optional(v.picklist(spineCodes, `doit être ${spineCodes.join(', ')}`)),
  /** Of a Data Matrix, in millimetres. */
  side: v.optional(
    v.pipe(
      v.picklist(sides, `doit être ${sides.join(', ')}`),
      v.transform((text) => spineSides.find((side) => String(side) === text) ?? usualSide),
    ),
  ),
  printer: v.optional(idInQuery),
} as const

/** `limit` counts the codes of `type=next`, and means nothing else. */
const printedList = { ...labelList, largestLimit: mostLabels } as const satisfies ListShape

export const printLabels = endpoint({
  name: 'bar_codes.export',
  method: 'GET',
  path: '/api/export/bar_codes',
  access: 'BARCODE_PRINT',
  summary: `Les étiquettes de références choisies ou filtrées, ou de codes pas encore donnés (type=next, limit, site)\u202f: ${mostLabels} au plus à la fois`,
  list: printedList,
  query: v.strictObject({
    ...which,
    ...how,
    /** The same key is given the same codes again, however often it asks. */
    key: v.optional(uuid),
    export_type: v.optional(v.picklist(['pdf'], 'doit être pdf'), 'pdf'),
  }),
  files: ['pdf'],
  answer: download,
})

/** Ours: what a file of labels would hold, before it is made. */
export const countLabels = endpoint({
  name: 'bar_codes.count',
  method: 'GET',
  path: '/api/bar_codes/count',
  access: 'BARCODE_PRINT',
  summary: 'Combien d’étiquettes une impression ferait, et lesquelles étaient attendues',
  list: printedList,
  query: v.strictObject(which),
  answer: v.object({ labels: v.number(), wanted: v.array(id) }),
})

const someCopies = v.strictObject({ copies: atMost(mostLabels, 'exemplaires', id) })
const copiesLeft = v.object({ copies: v.array(id) })

export const markPrinted = endpoint({
  name: 'bar_codes.printed',
  method: 'POST',
  path: '/api/bar_codes/printed',
  access: 'BARCODE_PRINT',
  summary: 'Dire que des étiquettes sont imprimées\u202f: leurs exemplaires n’en attendent plus',
  body: someCopies,
  answer: copiesLeft,
})

export const wantLabels = endpoint({
  name: 'bar_codes.want',
  method: 'POST',
  path: '/api/bar_codes/wanted',
  access: 'BARCODE_PRINT',
  summary: 'Mettre des exemplaires parmi ceux dont l’étiquette est à imprimer',
  body: someCopies,
  answer: copiesLeft,
})

export const printCalibration = endpoint({
  name: 'bar_codes.calibration',
  method: 'GET',
  path: '/api/export/label_calibration',
  access: 'BARCODE_PRINT',
  summary: 'La feuille de réglage d’une imprimante, sur une planche ou un rouleau',
  query: v.strictObject({ sheet: v.optional(sheetKey), printer: v.optional(idInQuery) }),
  files: ['pdf'],
  answer: download,
})

export const labelEndpoints = [
  listLabelled,
  countLabels,
  printLabels,
  printCalibration,
  markPrinted,
  wantLabels,
]
