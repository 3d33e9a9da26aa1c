import { sql } from 'kysely'

import { type WeedingReason, weedingReasons, whyWeeded } from '../../domain/weeding.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { visibleCopies, type Visibility } from '../visibility/visibility.ts'
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
