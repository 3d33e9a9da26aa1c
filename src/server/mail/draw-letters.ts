import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Document, finished, made, mm, openDocument } from '../pdf/open-document.ts'

export type WrittenLetter = {
  name: string
  address: readonly string[]
  commune: string
  object: string
  text: string
  loans: number
}

type About = { sender: string; day: string }

/**
 * A DL envelope (110 × 220 mm) with its window of 45 × 100 mm at 20 mm from the right and from the bottom, as French
 * ones have. An A4 sheet folded in three slides in it by 10 mm each way: what is always seen lies from 100 to 190 mm
 * across and from 45 to 79 mm down.
 */
const window = { left: 105 * mm, top: 47 * mm, width: 84 * mm, height: 31 * mm }
const page = { height: 297 * mm, left: 25 * mm, right: 20 * mm, width: 210 * mm }
const inside = page.width - page.left - page.right
/** Where a sheet is folded in three. */
const folds = [99 * mm, 198 * mm]
const textFrom = 108 * mm

export async function* drawLetters(
  letters: readonly WrittenLetter[],
  about: About,
): AsyncIterable<Uint8Array> {
  const document = await openDocument({
    size: 'A4',
    margins: { top: 20 * mm, bottom: 20 * mm, left: page.left, right: page.right },
    info: { Title: 'Lettres de relance' },
  })
  for (const letter of letters) {
    await nextTurn()
    drawLetter(document, letter, about)
    yield* made(document)
  }
  drawWhoItIsFor(document, letters, about)
  yield* finished(document)
}

function drawLetter(document: Document, letter: WrittenLetter, { sender, day }: About): void {
  document.addPage()
  document.fillColor('#000')
  for (const y of folds) {
    document
      .moveTo(0, y)
      .lineTo(5 * mm, y)
      .lineWidth(0.25)
      .stroke('#777')
  }
  document
    .font('bold')
    .fontSize(11)
    .text(sender, page.left, 20 * mm, { width: 75 * mm })
  drawAddress(document, letter)
  document
    .font('plain')
    .fontSize(10)
    .text(`Le ${day}`, page.left, 93 * mm, { width: inside, align: 'right' })
  document.font('bold').fontSize(11).text(letter.object, page.left, textFrom, { width: inside })
  document.moveDown()
  document.font('plain').fontSize(11).text(letter.text, { width: inside, lineGap: 2 })
}

/** Six lines at most, and the place in capitals without a sign, as the post reads them. */
function drawAddress(document: Document, { name, address, commune }: WrittenLetter): void {
  const place = commune.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase()
  // A file may have the place at the end of the address as well.
  const isThere = place !== '' && folded(address.at(-1) ?? '').endsWith(place)
  const lines = [name, ...address.slice(0, 4), ...(place === '' || isThere ? [] : [place])]
  document.font('plain')
  const size = 10
  lines.forEach((line, at) => {
    const needed = document.fontSize(size).widthOfString(line)
    document.fontSize(Math.max(7, Math.min(size, (size * window.width) / needed)))
    document.text(line, window.left, window.top + (at * window.height) / 6, {
      width: window.width + 0.5,
      height: document.currentLineHeight() + 0.5,
      ellipsis: true,
    })
  })
}

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase().trim()

/** The last sheet is for whoever folds: in the order of the letters, to be counted and ticked. */
function drawWhoItIsFor(document: Document, letters: readonly WrittenLetter[], { sender, day }: About): void {
  const count =
    letters.length === 0
      ? 'Aucune lettre à imprimer'
      : `${letters.length} ${letters.length > 1 ? 'lettres' : 'lettre'}`
  const start = () => {
    document.addPage()
    document
      .font('bold')
      .fontSize(13)
      .text(`${count}, le ${day}`, page.left, 20 * mm, {
        width: inside,
      })
    document
      .font('plain')
      .fontSize(9)
      .text(`${sender}\u202f: cette feuille n’est pas à envoyer.`, { width: inside })
    document.moveDown()
    return document.y
  }
  const rowHeight = 6 * mm
  let y = start()
  for (const [at, { name, commune, address, loans }] of letters.entries()) {
    if (y + rowHeight > page.height - 20 * mm) y = start()
    document
      .rect(page.left, y, 3 * mm, 3 * mm)
      .lineWidth(0.5)
      .stroke('#000')
    const where = commune || address.at(-1) || 'sans adresse postale'
    const said = `${at + 1}. ${name}, ${where} (${loans} ${loans > 1 ? 'prêts' : 'prêt'})`
    document.fontSize(10).text(said, page.left + 6 * mm, y - 0.5 * mm, {
      width: inside - 6 * mm,
      height: document.currentLineHeight() + 0.5,
      ellipsis: true,
    })
    y += rowHeight
  }
}
