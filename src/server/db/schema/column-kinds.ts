import type { Generated, GeneratedAlways } from 'kysely'

// Dates, instants (ISO, UTC) and numerics are text (parsers in pool.ts).

export type Instant = string
export type Id = GeneratedAlways<number>

export type Named = { id: Id; name: string; date_update: Generated<Instant>; deleted_at: Instant | null }
