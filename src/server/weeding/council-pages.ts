import { setImmediate as nextTurn } from 'node:timers/promises'

import { sql } from 'kysely'

import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { centsOf, frenchMoney, moneyOf } from '../../domain/money.ts'
import { type WeedingReason, weedingReasons, whyWeeded } from '../../domain/weeding.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { finished, made, openDocument } from '../pdf/open-document.ts'
import { type Visibility, visibleCopies } from '../visibility/visibility.ts'
import { cart, isInCart } from './cart-queries.ts'
import { type WeedingFacts, weedingFacts } from './weeding-facts.ts'

/** A copy as the council reads of it. */
export type WeededLine = WeedingFacts & {
  number: number
  why: string
  /** In words; null where nobody has said it yet. */
  destination: string | null
}

type Which = { weeding: number | null; reason: WeedingReason | null }
type Chosen = { id: number; why: string; reason: WeedingReason | null }

const rowsAtOnce = 200

/** What is in the cart or was withdrawn, by author and title. */
export async function* everyWeeded(
  reads: ReadInTurn,
  { weeding, reason }: Which,
  visibility: Visibility,
): AsyncGenerator<WeededLine[]> {
  const among =
    weeding === null
      ? sql`${cart} left join weedings g on false where ${isInCart}`
      : sql`weeding_lines k join copies c on c.id = k.copy join "references" r on r.id = c.reference
          join weedings g on g.id = k.weeding where k.weeding = ${weeding}`
  const { rows: chosen } = await reads((db) =>
    sql<Chosen>`
      select c.id, k.why, coalesce(k.reason, g.reason, ${reason}::text) as reason from ${among} and ${visibleCopies(visibility)}
      order by search_text(r.tags ->> 'author') nulls last, r.sort_name, c.bar_code, c.id`.execute(db),
  )
  for (let at = 0; at < chosen.length; at += rowsAtOnce) {
    const some = chosen.slice(at, at + rowsAtOnce)
    const facts = await reads((db) =>
      weedingFacts(
        db,
        some.map(({ id }) => id),
        visibility,
      ),
    )
    const factsOf = new Map(facts.map((one) => [one.id, one]))
    yield some.flatMap((line, place) => {
      const one = factsOf.get(line.id)
      if (!one) return []
      const destination = line.reason && weedingReasons[line.reason]
      return [{ ...one, number: at + place + 1, why: whyWeeded({ ...one, why: line.why }), destination }]
    })
  }
}

type Decision = {
  library: string
  day: CalendarDay
  /** It left already; else it is about to. */
  isDone: boolean
  number: string
  decided_on: CalendarDay | null
}

/** In points, as all of a page. */
const margin = 42
const rowHeight = 26
const [pageWidth, pageHeight] = [595.28, 841.89]
const inside = pageWidth - 2 * margin
const bottom = pageHeight - margin - 16

type Column = { title: string; width: number; align?: 'right'; of: (line: WeededLine) => string }

const price = (amount: string) => (Number(amount) > 0 ? frenchMoney(amount) : '')

const columns: readonly Column[] = [
  { title: 'N°', width: 24, align: 'right', of: ({ number }) => String(number) },
  { title: 'Auteur', width: 84, of: ({ author }) => author ?? '' },
  { title: 'Titre', width: 130, of: ({ name }) => name },
  { title: 'Code-barres', width: 76, of: ({ bar_code }) => bar_code },
  { title: 'Constat', width: 86, of: ({ why }) => why },
  { title: 'Destination', width: 64, of: ({ destination }) => destination ?? '' },
  { title: 'Valeur', width: 47, align: 'right', of: (line) => price(line.price) },
]

type Total = { copies: number; cents: number }

/** A4 pages that a council decides on: each copy, how many and what they are worth, and where to sign. */
export async function* councilPages(
  decision: Decision,
  rows: AsyncIterable<readonly WeededLine[]>,
): AsyncIterable<Uint8Array> {
  const title = decision.isDone ? 'Liste des documents désherbés' : 'Liste des documents à désherber'
  const document = await openDocument({ size: 'A4', margin, info: { Title: title } })
  const totals = new Map<string, Total>()
  let pages = 0
  let y = Infinity

  const write = (text: string, x: number, { width, align, lines = 1 }: Written) => {
    const height = lines * document.currentLineHeight(true) + 0.5
    document.text(text, x, y + 3, { width, height, align, ellipsis: true })
  }
  const rule = () =>
    document
      .moveTo(margin, y)
      .lineTo(pageWidth - margin, y)
      .lineWidth(0.5)
      .stroke('#b9b2a6')
  const beginPage = () => {
    document.addPage()
    pages += 1
    y = margin
    if (pages === 1) beginWith(decision)
    document.font('plain').fontSize(8)
    document.text(`${decision.library}, ${title.toLowerCase()}, page ${pages}`, margin, bottom + 6, {
      width: inside,
      align: 'right',
      height: 10,
    })
    document.font('bold')
    let x = margin
    for (const { title: heading, width, align } of columns) {
      write(heading, x, { width: width - gap, align })
      x += width
    }
    document.font('plain')
    y += 16
    rule()
  }
  const beginWith = ({ library, day, isDone, number, decided_on }: Decision) => {
    document.fillColor('#000').font('bold').fontSize(11)
    write(library, margin, { width: inside })
    y += 22
    document.fontSize(16)
    write(title, margin, { width: inside })
    y += 28
    document.font('plain').fontSize(10)
    const council = `Délibération n° ${number || dots}, du ${decided_on === null ? dots : frenchDay(decided_on)}`
    write(council, margin, { width: inside })
    y += 16
    const when = isDone ? 'Retirés du fonds le' : 'Liste arrêtée le'
    write(`${when} ${frenchDay(day)}`, margin, { width: inside })
    y += 26
  }
  const drawRow = (line: WeededLine) => {
    if (y + rowHeight > bottom) beginPage()
    let x = margin
    for (const { width, align, of } of columns) {
      write(of(line), x, { width: width - gap, align, lines: 2 })
      x += width
    }
    y += rowHeight
    rule()
  }
  const end = () => {
    const height = 20 + totals.size * 14 + 110
    if (y + height > bottom) beginPage()
    y += 12
    document.font('bold').fontSize(10)
    const all = [...totals.values()]
    write(
      `Total\u202f: ${said({
        copies: all.reduce((sum, { copies }) => sum + copies, 0),
        cents: all.reduce((sum, { cents }) => sum + cents, 0),
      })}`,
      margin,
      { width: inside },
    )
    document.font('plain').fontSize(9)
    y += 16
    for (const [to, total] of totals) {
      write(`${to}\u202f: ${said(total)}`, margin, { width: inside })
      y += 14
    }
    y += 22
    const half = inside / 2
    write('Fait à', margin, { width: half })
    write('Signature', margin + half, { width: half })
    y += 16
    write('Le', margin, { width: half })
    document
      .rect(margin + half, y, half, 56)
      .lineWidth(0.5)
      .stroke('#b9b2a6')
  }

  for await (const some of rows) {
    await nextTurn()
    for (const line of some) {
      drawRow(line)
      const to = line.destination ?? 'Destination à décider'
      const { copies, cents } = totals.get(to) ?? { copies: 0, cents: 0 }
      totals.set(to, { copies: copies + 1, cents: cents + centsOf(line.price) })
    }
    yield* made(document)
  }
  if (pages === 0) beginPage()
  end()
  yield* finished(document)
}

const gap = 6
const dots = '…………………'
type Written = { width: number; align?: 'right' | undefined; lines?: number }

function said({ copies, cents }: Total): string {
  const many = copies === 1 ? '1 document' : `${copies.toLocaleString('fr-FR')} documents`
  return cents === 0 ? many : `${many}, d’une valeur connue de ${frenchMoney(moneyOf(cents))}`
}
