import { sql } from 'kysely'

/** Of a reservation v: it waits or is confirmed, and no loan has served it. */
export const isActive = sql`v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null`
