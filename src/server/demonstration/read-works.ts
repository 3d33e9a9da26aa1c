import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { NewReference } from '../catalogue/add-references.ts'
import { openImportFile } from '../import-files/open-import-file.ts'
import { readWork, type Values } from '../imports/work-row.ts'
import { demonstrationMedia, type Location } from './demonstration-media.ts'

/** The catalogue stays among the sources, so it is searched upward from src/server and from dist/server. */
export function getCatalogueFile(): string {
  const path = join('src', 'server', 'demonstration', 'data', 'catalogue_toulouse.csv')
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, path))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`Le catalogue de démonstration (${path}) est introuvable.`)
    directory = parent
  }
  return join(directory, path)
}

// The catalogue of Toulouse is ISBD throughout, which an import could not know of a table. Reads its signs: « : » before a subtitle, « / » before makers, « [ ] » around cataloguers' notes.

type Title = {
  name: string
  subhead: string | null
  volume: string | null
  person_in_charge: string | null
}

/** Two lines of a telephone. */
const longestWholeName = 60

const mediumNote =
  /\[+\s*(?:texte|enregistrement sonore|ressource électronique|multim[ée]dia|images? anim|microsillon)[^\]]*(?:\]+|$)/gi
const note = /\[([^\]]*[^\]\d][^\]]*)\]/g

/** The title on a line, with its subtitle while it stays short, and what was taken away. */
export function splitTitle(text: string): Title {
  const [statement = '', ...makers] = tidy(text).split(/ ?\/ | \//)
  const notes: string[] = []
  let title = statement
    .replace(mediumNote, ' ')
    .replace(/\.*\s*\[etc\.?[\])]/gi, '…')
    .replace(/ (de|du|par) \[([^\]]+)\]/g, ' $1 $2')
    // A place and a year tell periodicals of one name apart: « Notre temps(Paris. 1968) ».
    .replace(/\s*\([^()]*\. \d{4}\)/g, '')
  const withoutNotes = title.replace(note, ' ')
  if (/[\p{L}\d]/u.test(withoutNotes)) {
    for (const [, words = ''] of title.matchAll(note)) notes.push(tidy(words))
    title = withoutNotes
  }
  title = trimSigns(tidy(title))
  const volume = /\. (\d{1,3})$/.exec(title)?.[1] ?? null
  const [proper = '', ...rest] = (volume ? title.slice(0, -volume.length - 2) : title).split(/ ?: /)
  const isShort = title.length <= longestWholeName || rest.length === 0
  const subhead = isShort ? '' : trimSigns(rest.join(' : '))
  const credits =
    makers.length > 0 ? makers.join(' / ') : notes.filter((words) => words.includes(' ')).join(' ; ')
  return {
    name: isShort ? title : trimSigns(proper) + (volume ? `. ${volume}` : ''),
    subhead: subhead || null,
    volume,
    person_in_charge: trimSigns(credits) || null,
  }
}

const dates = /\s*\((?:[^()]*\d{3}[^()]*|[\s.?-]+)\)$/
// A letter after another is an initial: « Bach, J. S. ».
const role =
  /(?:(?<=\p{L}{2})\. (?:p|s|t)|\. (?:chant|voix|trp|trb|tb|saxo|cb|guit|vlc|vl|clar|comp|dir|org|acrdn|oud|batt|perc|fl|htb|ms|ct|synth|claviers))(?![\p{L}'’-]).*$/iu

/** `Chamayou, Bertrand` without dates of life or an instrument. */
export function authorName(text: string): string {
  const name = tidy(text).replace(dates, '')
  const player = name.replace(role, '')
  return trimSigns(player === '' ? name : player)
}

/** « Actes Sud » from « Arles (Bouches-du-Rhône) : Actes Sud, 2022 »; of several publishers, the first. */
export function publisherName(text: string): string {
  const parts = tidy(text).split(/ ?: /)
  const publisher = parts[1] ?? parts[0] ?? ''
  const undated = publisher.replace(/[\s,;]+\[?(?:(?:cop|impr|ca|dl|c|p|©)\.?\s*)?\d{4}(?!\d).*$/i, '')
  return trimSigns(tidy(undated.replace(/\[[^\]]*\]/g, ' ')))
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

const trimSigns = (text: string) => text.replace(/^[\s:;,/]+|[\s:;,/]+$/g, '')

export type Work = {
  line: number
  reference: NewReference
  medium: (typeof demonstrationMedia)[number]
  location: Location
  isForChildren: boolean
  lent: readonly [yearBefore: number, lastYear: number]
}

const levels: Record<string, string> = { A: 'Adultes', E: 'Enfants', BB: 'Tout-petits' }

/** What the columns of the file give; `prets_par_annee` is read here. */
const fieldOf: Record<string, string> = {
  support: 'medium',
  titre: 'name',
  auteur: 'tags.author',
  editeur: 'tags.publisher',
  annee: 'tags.year',
  public: 'reference_data.level',
  cote: 'reference_data.book_number',
  bibliotheque: 'copy.site',
}

/** Where the call number should be, the file often has the code of the main library. */
const mainLibrary = 'CABANIS'

/** After all of its days. */
const endOfCatalogue = '2026-12-31'

/** Reads the catalogue by the product's own import, without the line that it refuses. */
export async function readWorks(): Promise<Work[]> {
  const file = await openImportFile(getCatalogueFile(), { name: 'catalogue_toulouse.csv' })
  const at = (name: string) => file.columns.findIndex((column) => column.name === name)
  const [loans, publishers] = [at('prets_par_annee'), at('editeur')]
  const mapping = file.columns.map(({ name }) => fieldOf[name] ?? null)
  const works: Work[] = []
  for await (const row of file.rows) {
    if (row.type !== 'row') continue
    const { line, cells } = row
    const reading = { today: endOfCatalogue, frame: '995', lent: {}, isIsbd: true } as const
    const { work, whys } = readWork({ line, at: 0, cells }, mapping, reading)
    const medium = demonstrationMedia.find(({ name }) => name === work['medium'])
    if (whys.length > 0 || !medium) continue
    const level = textOf(work, 'reference_data.level') ?? ''
    const isForChildren = level === 'E' || level === 'BB'
    const isPeriodical = medium.name === 'Livre' && /\d{4}-(?!\d)/.test(cells[publishers] ?? '')
    const reference = referenceOf(withoutSigns(work))
    if (reference.name === '') continue
    const callNumber = reference.reference_data.book_number ?? ''
    const counts = cells[loans] ?? ''
    works.push({
      line,
      reference: {
        ...reference,
        medium: medium.name,
        price: medium.price,
        ...(level === '' ? {} : { audience: isForChildren ? 'youth' : 'adult' }),
        category: categoryOf({ medium: medium.name, callNumber, isForChildren, isPeriodical }),
        reference_data: {
          ...reference.reference_data,
          ...(levels[level] ? { level: levels[level] } : {}),
        },
      },
      medium,
      location: locationOf(medium.name, isForChildren, isPeriodical),
      isForChildren,
      lent: [countOf(counts, 2021), countOf(counts, 2022)],
    })
  }
  return works
}

/** Its title, makers and publisher without the signs of ISBD; what is empty then is left out. */
function withoutSigns(work: Values): Values {
  const title = splitTitle(String(work['name']))
  const of = (name: string, clean: (text: string) => string) => clean(String(work[name] ?? ''))
  const named: Record<string, string | null> = {
    name: title.name,
    'tags.author': of('tags.author', authorName),
    'tags.publisher': of('tags.publisher', publisherName),
    'reference_data.subhead': title.subhead,
    'reference_data.volume': title.volume,
    'reference_data.person_in_charge': title.person_in_charge,
  }
  const others = Object.entries(work).filter(([name]) => !(name in named))
  return Object.fromEntries([
    ...others,
    ...Object.entries(named).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ])
}

const textOf = (work: Values, name: string): string | undefined =>
  work[name] === undefined ? undefined : String(work[name])

function referenceOf(work: Values): Omit<NewReference, 'medium' | 'price' | 'category'> {
  const group = (prefix: string) =>
    Object.fromEntries(
      Object.entries(work)
        .filter(([name]) => name.startsWith(`${prefix}.`))
        .map(([name, value]) => [name.slice(prefix.length + 1), String(value)]),
    )
  const { book_number, ...data } = group('reference_data')
  return {
    name: textOf(work, 'name') ?? '',
    code: null,
    description: '',
    short_description: '',
    keywords: [],
    tags: group('tags'),
    reference_data:
      book_number === undefined || book_number === mainLibrary ? data : { book_number, ...data },
  }
}

const countOf = (counts: string, year: number) =>
  Number(new RegExp(`\\b${year}:(\\d+)`).exec(counts)?.[1] ?? 0)

function locationOf(medium: string, isForChildren: boolean, isPeriodical: boolean): Location {
  if (isPeriodical) return 'Kiosque'
  if (medium === 'CD') return 'Discothèque'
  if (medium === 'DVD') return 'Vidéothèque'
  return isForChildren ? 'Rayon jeunesse' : 'Rayon adultes'
}

type Shelf = { medium: string; callNumber: string; isForChildren: boolean; isPeriodical: boolean }

// Toulouse's call numbers: Dewey, letters for comics and films, French music classes for records.
const recordShelves: readonly (readonly [RegExp, string])[] = [
  [/^099/, 'Chanson française'],
  [/^0/, 'Musiques du monde'],
  [/^18/, 'Rap'],
  [/^1/, 'Jazz et blues'],
  [/^28/, 'Soul et rhythm and blues'],
  [/^29/, 'Musiques électroniques'],
  [/^(?:LB )?2/, 'Rock et pop'],
  [/^3/, 'Musique classique'],
  [/^5/, 'Musique de film'],
]

function categoryOf({ medium, callNumber, isForChildren, isPeriodical }: Shelf): string {
  if (medium === 'CD') {
    if (isForChildren) return 'Musique et contes pour enfants'
    return recordShelves.find(([pattern]) => pattern.test(callNumber))?.[1] ?? 'Musique'
  }
  if (medium === 'DVD') {
    if (isForChildren) return 'Film pour enfants'
    if (/^TV\b/.test(callNumber)) return 'Série'
    return /^\d{3}/.test(callNumber) ? 'Film documentaire' : 'Film'
  }
  if (isPeriodical) return 'Presse'
  if (/^BD|^[A-Z]\p{L}{2} (?:HS )?\d/u.test(callNumber)) return 'Bande dessinée'
  if (/^(?:AB? )?\d{3}/.test(callNumber)) return 'Documentaire'
  return isForChildren ? 'Album et roman pour enfants' : 'Roman'
}
