import { sql } from 'kysely'

import type { Capacity } from '../../domain/reservation-rules.ts'

/** Of a reservation v: it waits or is confirmed, and no loan has served it. */
export const isActive = sql`v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null`

/** What the title of a copy c can give besides it; null where no days of the title are reserved. */
export const capacityOfTitle = sql<Capacity | null>`
  case when exists (
    select from reservations v where v.reference_id = c.reference and ${isActive}
      and v.start_date is not null and v.copy_id is null and v.set_aside_copy is null
  ) then (
    select json_build_object(
      'copies', count(*),
      'loans', coalesce(json_agg(json_build_object('start_date', ol.start_date, 'end_date', ol.end_date))
        filter (where ol.id is not null and o.id <> c.id), '[]'))
    from copies o left join loanings ol on ol.copy = o.id and ol.status = 'in_progress'
    where o.reference = c.reference and o.deleted_at is null and o.type = 'Location' and o.status <> 'Non Disponible'
  ) end`
