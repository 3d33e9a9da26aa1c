import type pg from 'pg'

import { hashToken } from '../../../src/server/session/find-caller.ts'
import { caller } from './bare-counter.ts'

// Records read and written in the fewest prepared statements of the same effect, on bare `pg`.

/** Every reference with its words, coded fields and copies, among those that `found` names. */
const told = `
  select r.id, r.code, r.name, r.description, r.short_description, cat.name as category, m.name as medium, r.price, r.type,
    r.deposit_check, r.new_at, r.audience, r.image_version, r.tags, r.reference_data, r.created_at, r.changed_xid::text,
    (select array_agg(k.name) from reference_keywords rk join keywords k on k.id = rk.keyword where rk.reference = r.id) as keywords,
    (select json_agg(json_build_array(t."group", t.name, v.name) order by l.position) from reference_list_values l
      join list_values v on v.id = l.list_value join list_types t on t.id = v.type where l.reference = r.id) as authors,
    (select count(*) from copies c where c.reference = r.id and c.deleted_at is null) as copies_count,
    (select count(*) from copies c where c.reference = r.id and c.deleted_at is null and c.status = 'Disponible') as available_count`

const listOfReferences = `
  with found as materialized (
    select r.id, r.created_at from "references" r
    where r.deleted_at is null and r.search like '%' || search_text($1) || '%' and r.search_name like '%' || search_text($1) || '%'
      and r.category = $2 and r.medium = $3)
  ${told}, (select count(*) from found) as total
  from (select id from found order by created_at desc, id desc limit 25) page join "references" r on r.id = page.id
  left join categories cat on cat.id = r.category left join media m on m.id = r.medium
  order by r.created_at desc, r.id desc`

const reader = `
  select b.*, s.name as agency,
    (select json_agg(json_build_object('id', rel.id, 'firstname', rel.firstname, 'reader_id', rel.reader_id)) from relatives rel
      where rel.beneficiary = b.id and rel.deleted_at is null) as relatives,
    (select count(*) from loanings l where l.beneficiary = b.id and l.status = 'in_progress') as open_loans,
    (select count(*) from loanings l where l.beneficiary = b.id and l.status = 'in_progress' and l.end_date < $2) as late_loans
  from beneficiaries b left join sites s on s.id = b.agency_id where b.id = $1 and b.deleted_at is null`

const loansOfReader = `
  with found as materialized (select id, start_date from loanings where beneficiary = $1 and deleted_at is null)
  select l.*, r.name as reference_name, r.image_version, cat.name as category, m.name as medium, c.bar_code, c.state as copy_state,
    s.name as site_name, b.lastname, b.firstname, b.email::text, u.username as lender,
    (select array_agg(w.id) from reservations w where w.reference_id = r.id and w.status in ('waiting', 'confirmed')
      and w.deleted_at is null and w.fulfilled_by is null) as reservations,
    (select count(*) from found) as total
  from (select id from found order by start_date desc, id desc limit 25) page join loanings l on l.id = page.id
  join copies c on c.id = l.copy join "references" r on r.id = c.reference join sites s on s.id = l.site
  left join beneficiaries b on b.id = l.beneficiary left join users u on u.id = l.lent_by
  left join categories cat on cat.id = r.category left join media m on m.id = r.medium
  order by l.start_date desc, l.id desc`

/** Part of a title ($1), from a day to a day ($2, $3), today ($4). */
const calendar = `
  with matched as materialized (
    select id, sort_name from "references" where deleted_at is null and search like '%' || search_text($1) || '%'),
  found as materialized (
    select m.id from (select id, sort_name from matched order by sort_name, id) m
    where exists (select from copies c where c.reference = m.id and c.deleted_at is null and c.type = 'Location')
    order by m.sort_name, m.id limit 51)
  select r.id, r.name, cat.name as category, md.name as medium, md.start_day,
    (select count(*) from reservations v where v.reference_id = r.id and v.queue_position is not null) as waiting,
    (select json_agg(json_build_array(v.id, v.copy_id, v.set_aside_copy, v.start_date, v.end_date, v.pickup_until, b.firstname, b.lastname))
      from reservations v join beneficiaries b on b.id = v.beneficiary_id
      where v.reference_id = r.id and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null
        and coalesce(v.start_date, v.set_aside_at::date) <= $3::date and coalesce(v.end_date, v.pickup_until, $4::date) >= $2::date) as reserved,
    (select json_agg(json_build_array(c.id, c.bar_code, s.name, c.status,
        (select json_agg(json_build_array(l.id, l.status, l.start_date, l.end_date, l.return_date, b.firstname, b.lastname, b.matricule))
          from loanings l left join beneficiaries b on b.id = l.beneficiary
          where l.copy = c.id and l.deleted_at is null and l.start_date <= $3::date
            and (l.status = 'in_progress' or (l.status = 'finished' and l.return_date >= $2::date)))))
      from copies c join sites s on s.id = c.site
      where c.reference = r.id and c.deleted_at is null and c.type = 'Location') as copies
  from "references" r left join categories cat on cat.id = r.category left join media md on md.id = r.medium
  where r.id = any(array(select id from found)) order by r.sort_name, r.id`

const lockReference = `select id, changed_xid::text as version from "references" where id = $1 and deleted_at is null for no key update`

/** Coded values by name ($3 functions, $4 names), the texts of the journal as they were ($5, $6). */
const saveReference = `
  with given as materialized (
    select v.id, given.place from unnest($3::text[], $4::text[]) with ordinality as given (type, name, place)
    join list_types t on t."group" = 'list' and search_text(t.name) = search_text(given.type) and t.deleted_at is null
    join list_values v on v.type = t.id and search_text(v.name) = search_text(given.name) and v.deleted_at is null
    for key share of v),
  gone as (
    delete from reference_list_values l using list_values v
    where l.reference = $1 and v.id = l.list_value and v."group" = 'list' and l.list_value not in (select id from given)),
  kept as (
    insert into reference_list_values (reference, list_value, position) select $1, id, place from given
    on conflict (reference, list_value) do update set position = excluded.position),
  journalled as (
    insert into audit_journal (at, user_id, action, entity, entity_id, before, after)
    values (now(), $7, 'references.change', 'references', $1, $5, $6)),
  changed as (update "references" set name = $2 where id = $1 returning *)
  ${told} from changed r left join categories cat on cat.id = r.category left join media m on m.id = r.medium`

/** How many statements each takes, so that a table can say it. */
export const bareRecordStatements = { list: 2, calendar: 2, reader: 4, save: 5 }

export type Saved = { id: number; name: string; type: string; values: readonly string[] }

/** Somebody at a desk without the product. */
export function bareDesk(lane: pg.Client, token: string, journalled: { before: string; after: string }) {
  const run = (name: string, text: string, values: unknown[]) => lane.query({ name, text, values })
  const whoCalls = () => run('caller', caller, [hashToken(token)])
  const expectRows = (result: pg.QueryResult) => {
    if (result.rows.length === 0) throw new Error('the bare desk found nothing: it is no floor')
  }
  return {
    list: async ({ title, category, medium }: { title: string; category: number; medium: number }) => {
      await whoCalls()
      await run('list of references', listOfReferences, [title, category, medium])
    },
    calendar: async (title: string, [first, last, today]: readonly [string, string, string]) => {
      await whoCalls()
      expectRows(await run('calendar', calendar, [title, first, last, today]))
    },
    reader: async (id: number, today: string) => {
      await whoCalls()
      expectRows(await run('reader', reader, [id, today]))
      await whoCalls()
      expectRows(await run('loans of a reader', loansOfReader, [id]))
    },
    save: async ({ id, name, type, values }: Saved) => {
      const { rows } = await whoCalls()
      const { user_id } = rows[0] as { user_id: number }
      await lane.query('begin')
      expectRows(await run('lock a reference', lockReference, [id]))
      const { before, after } = journalled
      expectRows(
        await run('save a reference', saveReference, [
          id,
          name,
          values.map(() => type),
          values,
          before,
          after,
          user_id,
        ]),
      )
      await lane.query('commit')
    },
  }
}
