import * as v from 'valibot'

import { importRightCodes as rights } from '../domain/act-rights.ts'
import { copyFrames } from '../domain/copy-frames.ts'
import { frenchNumber } from '../domain/french-number.ts'
import { importFieldsOf, importSubjects } from '../domain/import-fields.ts'
import { remarkKinds } from '../domain/import-remarks.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { change } from './journal.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, flagInQuery, id, instant, linkTo, nothing, someText } from './wire.ts'

/** Who brings in what. */
export const importRights = {
  references: 'REFERENCE_IMPORT',
  readers: 'BENEFICIARY_EDIT',
  // They were made elsewhere, and pass over every rule.
  loans: 'LOANING_OVERRIDE',
} as const satisfies Record<(typeof importSubjects)[number], (typeof rights)[number]>

export const importCharsets = ['utf-8', 'windows-1252', 'macintosh', 'iso-5426', 'cp850', 'cp437'] as const
export const importDelimiters = [';', ',', '\t', '|'] as const

/** `read`: what it holds is known. `checked`: what it would do is. */
export const importStatuses = ['read', 'checking', 'checked', 'running', 'done'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What becomes of a value that is there already: only an empty one is filled, any is replaced, or it stays. */
export const policies = ['fill', 'overwrite', 'keep'] as const
export type Policy = (typeof policies)[number]

const opened = v.object({
  kind: v.picklist(['csv', 'xlsx', 'ods', 'iso2709', 'marcxml']),
  charset: v.nullable(
    v.object({
      name: v.string(),
      /** As `FoundCharset` says it. */
      how: v.picklist(['mark', 'valid', 'bytes', 'plain', 'chosen']),
      /** The same accented lines in each charset that may be chosen. */
      samples: v.record(v.string(), v.array(v.string())),
    }),
  ),
  delimiter: v.nullable(v.picklist(importDelimiters)),
  sheets: v.array(v.string()),
  sheet: v.nullable(v.string()),
  has_header: v.boolean(),
  /** Of a table; none for notices, whose fields are known. */
  columns: v.array(v.object({ index: v.number(), name: v.string(), values: v.array(v.string()) })),
  /** The name under which what these columns give was kept, where it was. */
  known_as: v.optional(v.nullable(v.string())),
  /** Of notices: whether most titles are whole lines of ISBD, which are parted; else a title is taken as it stands. */
  isbd: v.optional(v.boolean()),
  /** Of notices: whose fields of copies these seem to be, and what their $o say, the most frequent first. */
  copies: v.optional(
    v.object({
      frame: v.picklist(copyFrames),
      circulation: v.array(v.object({ code: v.string(), count: v.number(), is_lent: v.boolean() })),
    }),
  ),
})
export type OpenedFile = v.InferOutput<typeof opened>

const fieldNames = [
  ...new Set(Object.values(importFieldsOf).flatMap((fields) => fields.map(({ name }) => name))),
]
const fieldName = v.picklist(fieldNames, 'n’est pas un champ')
/** By column, from 0: the field that it gives, or null to leave it out. */
const mapping = v.pipe(
  v.array(v.nullable(fieldName)),
  v.maxLength(200),
  v.check((fields) => {
    const named = fields.filter((field) => field !== null)
    return new Set(named).size === named.length
  }, 'donne deux fois le même champ'),
)
export type Mapping = v.InferOutput<typeof mapping>

const choices = v.strictObject({
  /** By field; those that are not named are filled where they are empty. */
  policies: v.record(fieldName, v.picklist(policies)),
  /** Where copies are, and readers are of, whose row names no site. */
  site: v.nullable(linkTo('sites')),
  /** By the name that the file gives a site: which one it is. */
  sites: v.record(v.pipe(v.string(), v.maxLength(100)), id),
  /** A new work whose row has no bar code gets a copy, numbered by the site's rule. */
  numbers_copies: v.boolean(),
  /** Media, categories, keywords and places that nobody has are made, by whoever may make them. */
  makes_words: v.boolean(),
  /** Of notices: whose fields of copies these are, where it is not what was found. */
  copy_frame: v.optional(v.nullable(v.picklist(copyFrames))),
  /** By what $o says of a copy: whether it is lent, where that is not what was found. */
  lent: v.optional(v.record(v.pipe(v.string(), v.maxLength(100)), v.boolean())),
})
export type ImportChoices = v.InferOutput<typeof choices>

export const importCounts = v.object({
  /** Rows. */
  added: v.number(),
  changed: v.number(),
  unchanged: v.number(),
  refused: v.number(),
  /** Copies that came with them. */
  copies: v.number(),
  /** Media, categories, keywords and places that had to be made. */
  words: v.number(),
})
export type ImportCounts = v.InferOutput<typeof importCounts>

const sample = v.object({
  line: v.number(),
  name: v.string(),
  result: v.picklist(['added', 'changed']),
  changes: v.array(change),
})
export type ImportSample = v.InferOutput<typeof sample>

const remarks = v.object({
  kind: v.picklist(remarkKinds),
  /** How many there are, of which the first ones are told. */
  count: v.number(),
  lines: v.array(v.object({ line: v.number(), told: v.string() })),
})
/** What is to be known of lines that are taken, by kind. */
export type ImportRemarks = v.InferOutput<typeof remarks>

export const imports = listed('imports', 'Import', {
  words: ['un import', 'les fichiers importés'],
  listedBy: rights,
  shown: {
    subject: v.picklist(importSubjects),
    name: v.string(),
    size: v.number(),
    opened,
    rows: v.number(),
    /** Rows that cannot be read at all; they are among those refused. */
    damaged: v.number(),
    mapping,
    choices,
    status: v.picklist(importStatuses),
    counts: importCounts,
    samples: v.array(sample),
    /** What the file calls sites that nobody knows; `choices.sites` says which ones they are. */
    unknown_sites: v.array(v.string()),
    remarks: v.array(remarks),
    problem: v.nullable(v.string()),
    act: v.nullable(id),
    who: v.string(),
    created_at: instant,
    ended_at: v.nullable(instant),
  },
  filters: {
    id: filterBy.id,
    subject: filterBy.choice(importSubjects),
    status: filterBy.choice(importStatuses),
  },
  orders: ['created_at', 'id'],
  defaultDirection: 'desc',
})
export type Import = ItemOf<typeof imports>

/** The larger ones are imported on the server (`npm run import`). */
export const largestImport = 16_000_000

const fileTypes = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'text/xml',
  'application/xml',
  'application/marc',
  'application/octet-stream',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
]

export const readImport = endpoint({
  name: 'imports.read',
  method: 'POST',
  path: '/api/imports',
  access: rights,
  summary: 'Lire un fichier à importer\u202f: ce qu’il est, ses colonnes, et ce qu’elles semblent donner',
  query: v.strictObject({ subject: v.picklist(importSubjects) }),
  upload: { types: fileTypes, mostBytes: largestImport },
  answer: imports.member,
  status: 201,
})

export const getImport = endpoint({
  name: 'imports.get',
  method: 'GET',
  path: '/api/imports/{id}',
  access: rights,
  summary: 'Un fichier importé ou à importer',
  params: byId,
  answer: imports.member,
})

export const changeImport = endpoint({
  name: 'imports.change',
  method: 'PUT',
  path: '/api/imports/{id}',
  access: rights,
  summary: 'Dire comment un fichier se lit (signes, séparateur, feuille) et ce que ses colonnes donnent',
  params: byId,
  body: v.strictObject({
    charset: v.optional(v.picklist(importCharsets)),
    delimiter: v.optional(v.picklist(importDelimiters)),
    sheet: v.optional(someText(300)),
    has_header: v.optional(v.boolean()),
    mapping: v.optional(mapping),
    choices: v.optional(v.partial(choices)),
    /** Keeps the mapping under this name, for the next file with the same columns. */
    keep_as: v.optional(someText(100)),
  }),
  answer: imports.member,
})

export const checkImport = endpoint({
  name: 'imports.check',
  method: 'POST',
  path: '/api/imports/{id}/check',
  access: rights,
  summary: 'Essayer un import sans rien écrire\u202f: combien de lignes il ajoute, change, laisse et refuse',
  params: byId,
  answer: imports.member,
  status: 202,
})

export const runImport = endpoint({
  name: 'imports.run',
  method: 'POST',
  path: '/api/imports/{id}/run',
  access: rights,
  summary: 'Importer un fichier qui a été essayé',
  params: byId,
  answer: imports.member,
  status: 202,
})

export const forgetImport = endpoint({
  name: 'imports.remove',
  method: 'DELETE',
  path: '/api/imports/{id}',
  access: rights,
  summary: 'Oublier un fichier\u202f; ce qu’il a apporté reste',
  params: byId,
  answer: nothing,
  status: 204,
})

export const refusedLine = v.object({ line: v.number(), field: v.nullable(v.string()), reason: v.string() })
const refusal = v.object({ id, ...refusedLine.entries })
export type ImportRefusal = v.InferOutput<typeof refusal>

export const listRefusals = endpoint({
  name: 'imports.refusals',
  method: 'GET',
  path: '/api/imports/{id}/refusals',
  access: rights,
  summary: 'Les lignes qu’un import refuse, et pourquoi',
  params: byId,
  list: { filters: {}, orders: ['id'], defaultOrder: ['id', 'asc'] } satisfies ListShape,
  answer: collectionOf(refusal),
})

export const exportRefusals = endpoint({
  name: 'imports.refused_rows',
  method: 'GET',
  path: '/api/imports/{id}/refused_rows',
  access: rights,
  summary: 'Les lignes refusées, dans la forme du fichier, à corriger et à importer de nouveau',
  params: byId,
  files: ['csv', 'mrc', 'xml'],
  answer: download,
})

/** Decided at once up to so many rows, and by a job beyond. */
export const rowsAtOnce = 2000

/** One call for what the screen does in steps: a file, and by the names of its columns the fields that they give. */
export const uploadReferences = endpoint({
  name: 'imports.upload',
  method: 'POST',
  path: '/api/references/upload',
  access: 'REFERENCE_IMPORT',
  summary: `Importer un fichier de références\u202f: les lignes refusées aussitôt jusqu’à ${frenchNumber(rowsAtOnce)} lignes, un import à suivre au-delà`,
  query: v.strictObject({ dry_run: v.optional(flagInQuery) }),
  upload: { types: fileTypes, mostBytes: largestImport, fields: ['mapping'] },
  answer: v.union([
    v.array(refusedLine),
    imports.member,
    v.object({
      columns: v.array(
        v.object({ name: v.string(), field: v.nullable(v.string()), values: v.array(v.string()) }),
      ),
      /** Each row of the file, by its line: what would become of it. */
      rows: v.array(
        v.object({ line: v.number(), state: v.picklist(['added', 'changed', 'unchanged', 'refused']) }),
      ),
      counts: importCounts,
      errors: v.array(refusedLine),
    }),
  ]),
})

export const importEndpoints = [
  uploadReferences,
  imports.list,
  readImport,
  getImport,
  changeImport,
  checkImport,
  runImport,
  forgetImport,
  listRefusals,
  exportRefusals,
]
