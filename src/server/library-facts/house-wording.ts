import { sql } from 'kysely'

import { type HouseWord, inHouseWords, inSentence, type Wording } from '../../domain/house-words.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'

/** How the software's own words are said in this library (docs/decisions/0050-words-of-the-house.md). */
export async function houseWording(reads: ReadInTurn): Promise<Wording> {
  const { rows } = await reads((db) =>
    sql<{ delivered: string; translation: string; gender: HouseWord['gender'] }>`
      select delivered, translation, gender from translations where delivered <> '' and translation <> delivered`.execute(
      db,
    ),
  )
  return inHouseWords(
    rows.map(({ delivered, translation, gender }) => ({
      said: delivered,
      here: inSentence(translation),
      gender,
    })),
  )
}
