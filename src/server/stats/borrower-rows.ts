import { type RawBuilder, sql } from 'kysely'

import { readerName } from '../db/person-names.ts'
import { beneficiariesByName } from '../db/rankings.ts'
import { readerElsewhere, readerForgotten, readerOpen, type Sight } from '../sight/sight.ts'
import { borrowersIn, type CountedIn } from './borrowers.ts'
import type { CountedRows } from './counted-rows.ts'

/** Who borrowed in a period (x), by their first loan (l); `tellsHome`: whether the rows say by themselves where they live. */
export function borrowerRows({ period, sight, timezone }: CountedIn, tellsHome: boolean): CountedRows {
  const named = (name: RawBuilder<unknown>, otherwise: RawBuilder<unknown>) =>
    mayName(sight, tellsHome)
      ? sql`case when b.deleted_at is null and ${readerOpen(sight)} then ${name} else ${otherwise} end`
      : otherwise
  return {
    from: async (db) =>
      (await borrowersIn(db, { period, sight, timezone })).map(
        (some) => sql`${some} x join loanings l on l.id = x.loaning left join beneficiaries b on b.id = x.id`,
      ),
    kind: 'reader',
    id: named(sql`b.id`, sql`null::int`),
    label: sql`case when x.id is null or b.forgotten_at is not null then ${readerForgotten}::text
      when not ${readerOpen(sight)} then ${readerElsewhere}::text
      else ${named(readerName, sql`'Lecteur'`)} end`,
    detail: sight.rights.has('BENEFICIARY_ADDRESS')
      ? sql`concat_ws(' · ', x.contract_type, x.commune)`
      : sql`concat_ws(' · ', x.contract_type)`,
    order: sql`${named(sql`b.sort_name`, sql`null::text`)} nulls last, x.loaning`,
    place: { of: named(sql`b.id`, sql`null::int`), ranked: beneficiariesByName },
    key: sql`x.loaning`,
  }
}

/**
 * All who borrowed are named to whoever may list readers and know who borrows most; where rows say where they live, to
 * whoever may know that as well.
 */
const mayName = ({ rights }: Sight, tellsHome: boolean): boolean =>
  rights.has('STATISTIC_LOANINGS_BENEFICIARY') &&
  rights.has('LIST_BENEFICIARIES') &&
  (!tellsHome || rights.has('BENEFICIARY_ADDRESS'))
