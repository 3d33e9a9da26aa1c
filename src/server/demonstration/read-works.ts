import { createReadStream } from 'node:fs'

import type { ImportedReference } from '../catalogue/import-fields.ts'
import { readCatalogueFile } from '../catalogue/read-catalogue-file.ts'
import { getCatalogueFile } from './catalogue-file.ts'
import { demonstrationMedia, type Location } from './demonstration-media.ts'

export type Work = {
  line: number
  reference: ImportedReference
  medium: (typeof demonstrationMedia)[number]
  location: Location
  isForChildren: boolean
  lent: readonly [yearBefore: number, lastYear: number]
}

const levels: Record<string, string> = { A: 'Adultes', E: 'Enfants', BB: 'Tout-petits' }

/** Reads the catalogue by the product's own import, without the line that it refuses. */
export async function readWorks(): Promise<Work[]> {
  const file = await readCatalogueFile(createReadStream(getCatalogueFile()))
  if (!file.ok) throw new Error(`catalogue de démonstration, ligne ${file.line}\u202f: ${file.message}`)
  const loans = file.columns.findIndex(({ header }) => header === 'prets_par_annee')
  const publishers = file.columns.findIndex(({ header }) => header === 'editeur')
  const works: Work[] = []
  for (const row of file.rows) {
    const medium = demonstrationMedia.find(({ name }) => row.ok && name === row.reference.medium)
    if (!row.ok || !medium) continue
    const { reference } = row
    const level = reference.reference_data.level ?? ''
    const isForChildren = level === 'E' || level === 'BB'
    const isPeriodical = medium.name === 'Livre' && /\d{4}-(?!\d)/.test(row.cells[publishers] ?? '')
    const callNumber = reference.reference_data.book_number ?? ''
    reference.price = medium.price
    reference.category = categoryOf({ medium: medium.name, callNumber, isForChildren, isPeriodical })
    if (levels[level]) reference.reference_data.level = levels[level]
    const counts = row.cells[loans] ?? ''
    works.push({
      line: row.line,
      reference,
      medium,
      location: locationOf(medium.name, isForChildren, isPeriodical),
      isForChildren,
      lent: [countOf(counts, 2021), countOf(counts, 2022)],
    })
  }
  return works
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
