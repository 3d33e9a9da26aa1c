import { setImmediate as nextTurn } from 'node:timers/promises'

import {
  mostCards,
  type printCard as printCardCall,
  type printCards as printCardsCall,
} from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, refuse } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { drawBarCode } from '../pdf/draw-bar-code.ts'
import { type Document, finished, made, mm, openDocument } from '../pdf/open-document.ts'
import {
  type BeneficiaryRow,
  countBeneficiaries,
  everyBeneficiary,
  findVisibleBeneficiary,
} from './beneficiary-queries.ts'

type Card = { library: string; site: string | null; name: string; number: string }

/** Of a bank card (ISO/IEC 7810, ID-1). */
const width = 85.6 * mm
const height = 54 * mm
const padding = 5 * mm
const inside = width - 2 * padding

/** A4 upright, with two columns of five cards that share their edges. */
const sheet = { columns: 2, rows: 5, width: 210 * mm, height: 297 * mm }
const left = (sheet.width - sheet.columns * width) / 2
const top = (sheet.height - sheet.rows * height) / 2
const mark = { length: 5 * mm, gap: 1.5 * mm }

const title = 'Cartes de lecteurs'

async function* cardPage(card: Card): AsyncIterable<Uint8Array> {
  const document = await openDocument({ size: [width, height], margin: 0, info: { Title: title } })
  document.addPage()
  drawCard(document, card, 0, 0)
  yield* finished(document)
}

async function* cardSheets(cards: AsyncIterable<readonly Card[]>): AsyncIterable<Uint8Array> {
  const document = await openDocument({ size: 'A4', margin: 0, info: { Title: title } })
  let drawn = 0
  for await (const some of cards) {
    for (const card of some) {
      const place = drawn % (sheet.columns * sheet.rows)
      if (place === 0) {
        await nextTurn()
        beginSheet(document)
      }
      drawCard(
        document,
        card,
        left + (place % sheet.columns) * width,
        top + Math.floor(place / sheet.columns) * height,
      )
      drawn += 1
    }
    yield* made(document)
  }
  if (drawn === 0) beginSheet(document)
  yield* finished(document)
}

/** Marks outside the cards say where to cut, and leave no line on them. */
function beginSheet(document: Document): void {
  document.addPage()
  const right = sheet.width - left
  const bottom = sheet.height - top
  for (let column = 0; column <= sheet.columns; column += 1) {
    const x = left + column * width
    document.moveTo(x, top - mark.gap).lineTo(x, top - mark.gap - mark.length)
    document.moveTo(x, bottom + mark.gap).lineTo(x, bottom + mark.gap + mark.length)
  }
  for (let row = 0; row <= sheet.rows; row += 1) {
    const y = top + row * height
    document.moveTo(left - mark.gap, y).lineTo(left - mark.gap - mark.length, y)
    document.moveTo(right + mark.gap, y).lineTo(right + mark.gap + mark.length, y)
  }
  document.lineWidth(0.25).stroke('#000')
}

/** The library and the site, the name, then the bar code and what it says. */
function drawCard(document: Document, { library, site, name, number }: Card, x: number, y: number): void {
  const inner = x + padding
  document.fillColor('#000')
  document.font('bold')
  write(document, library, { x: inner, y: y + 4.5 * mm, size: 10, least: 7 })
  document.font('plain')
  if (site !== null) write(document, site, { x: inner, y: y + 9.5 * mm, size: 8, least: 6 })
  document.font('bold')
  write(document, name, { x: inner, y: y + 16.5 * mm, size: 14, least: 8 })
  const bars = { x: x + 2 * mm, y: y + 28 * mm, width: width - 4 * mm, height: 14 * mm }
  const hasBars = drawBarCode(document, number, bars)
  document.font('plain')
  const at = hasBars ? { y: y + 43.5 * mm, size: 10 } : { y: y + 33 * mm, size: 16 }
  write(document, number, { x: inner, ...at, least: 5, align: 'center' })
}

type Line = { x: number; y: number; size: number; least: number; align?: 'left' | 'center' }

/** One line, smaller where it is long, and cut where even that is not enough. */
function write(document: Document, text: string, { x, y, size, least, align = 'left' }: Line): void {
  const needed = document.fontSize(size).widthOfString(text)
  document.fontSize(Math.max(least, Math.min(size, (size * inside) / needed)))
  document.text(text, x, y, {
    width: inside + 0.5,
    height: document.currentLineHeight() + 0.5,
    align,
    ellipsis: true,
  })
}

export async function printCard(
  reads: ReadInTurn,
  { params: { id } }: VerbInput<typeof printCardCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const reader = await reads((db) => findVisibleBeneficiary(db, id, exchange))
  if (!reader) return notFound('Ce lecteur n’existe pas.')
  return served(`carte-${id}`, cardPage(cardOf(reader, exchange)), exchange)
}

/** The cards of a list, in its order, drawn while they are sent. */
export async function printCards(
  reads: ReadInTurn,
  { list }: VerbInput<typeof printCardsCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const total = await reads((db) => countBeneficiaries(db, list, exchange))
  if (total > mostCards) {
    const message = `${mostCards} cartes au plus à la fois, et cette liste en a ${total}\u202f: filtrez-la, ou cochez des lecteurs.`
    return refuse({ status: 409, message })
  }
  async function* cards() {
    for await (const readers of everyBeneficiary(reads, list, exchange)) {
      yield readers.map((reader) => cardOf(reader, exchange))
    }
  }
  return served('cartes', cardSheets(cards()), exchange)
}

const served = (
  holds: string,
  bytes: AsyncIterable<Uint8Array>,
  { now, parameters }: Exchange,
): Outcome<ServedFile> =>
  done({ name: fileName(holds, 'pdf', now, parameters.get('timezone')), type: 'pdf', bytes })

/** A card is known by its reader's number, and by the registration number where there is none. */
const cardOf = (reader: BeneficiaryRow, { parameters }: Exchange): Card => ({
  library: parameters.get('work_council'),
  site: parameters.flag('multisite') ? reader.agency : null,
  name: fullName(reader),
  number: reader.reader_id ?? reader.matricule,
})
