import { sql } from 'kysely'

/** Whether a reader b can be written to: imported files hold all sorts of texts as addresses. */
export const hasAddress = sql<boolean>`coalesce(b.email ~ '^[^@[:space:]]+@[^@[:space:]]+$', false)`
