import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { listSharedCodes as listSharedCodesCall } from '../../contract/installation.ts'
import { atSites } from '../db/list-sql.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { readerOpen } from '../sight/sight.ts'

type Answer = AnswerOf<typeof listSharedCodesCall>
type Row = Answer['codes'][number] & { total: number }

/** Enough to begin with: once these are mended, the next ones come. */
const most = 20

/** Codes that name several things, from before they were refused (db/held-codes.ts); readers are not named, nor is what is out of sight. */
export async function listSharedCodes(
  db: Db,
  _input: unknown,
  { sight }: Pick<Exchange, 'sight'>,
): Promise<Outcome<Answer>> {
  const { rows } = await sql<Row>`
    with held as (
      select lower(c.bar_code) as code, 'copy' as kind, c.id, ${atSites(sql`c.site`, sight.open)} as seen
        from copies c where c.deleted_at is null
      union all select lower(p.bar_code), 'location', p.id, true
        from locations p where p.bar_code is not null and p.deleted_at is null
      union all select lower(b.reader_id), 'reader', b.id, ${readerOpen(sight)}
        from beneficiaries b where b.reader_id is not null and b.deleted_at is null
      union all select lower(rel.reader_id), 'relative', rel.id, ${readerOpen(sight)}
        from relatives rel join beneficiaries b on b.id = rel.beneficiary
        where rel.reader_id is not null and rel.deleted_at is null
    ), shared as (
      select code, count(*) over ()::integer as total from held group by code
      having count(*) > 1 and bool_or(seen) order by code limit ${most}
    )
    select shared.code, shared.total, json_agg(json_build_object(
      'kind', h.kind,
      'written', case when h.seen then coalesce(c.bar_code, p.bar_code, rel.reader_id, b.reader_id) else shared.code end,
      'name', coalesce(r.name, case when h.seen then p.label end),
      'leads_to', coalesce(r.id, case when ${readerOpen(sight)} then b.id end)
    ) order by h.kind, h.id) as holders
    from shared join held h using (code)
      left join copies c on h.kind = 'copy' and c.id = h.id
      left join "references" r on r.id = c.reference and ${atSites(sql`c.site`, sight.open)}
      left join locations p on h.kind = 'location' and p.id = h.id
      left join relatives rel on h.kind = 'relative' and rel.id = h.id
      left join beneficiaries b on b.id = case h.kind when 'reader' then h.id else rel.beneficiary end
    group by shared.code, shared.total order by shared.code`.execute(db)
  return done({
    total: rows[0]?.total ?? 0,
    codes: rows.map(({ code, holders }) => ({ code, holders })),
  })
}
