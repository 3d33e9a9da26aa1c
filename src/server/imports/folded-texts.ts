import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

/** Texts as the library compares them: only the database folds as names and titles are compared. */
export type Fold = Map<string, string>

/** Folds texts, beside those that are known. */
export async function foldedTexts(trx: Trx, all: readonly string[], known: Fold = new Map()): Promise<Fold> {
  const texts = [...new Set(all)].filter((text) => text !== '' && !known.has(text))
  if (texts.length === 0) return known
  const { rows } = await sql<{ text: string; folded: string }>`
    select text, search_text(text) as folded from unnest(${texts}::text[]) as texts (text)`.execute(trx)
  for (const { text, folded } of rows) known.set(text, folded)
  return known
}
