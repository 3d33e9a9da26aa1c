import { sql } from 'kysely'

/** The mark that a reference `r` has on its spine: its own, or its Dewey one; null where it has neither. */
export const shelfMark = sql<string | null>`coalesce(
  nullif(btrim(r.reference_data ->> 'book_number'), ''),
  nullif(btrim(r.reference_data ->> 'book_number_dewey'), ''))`
