import { type RawBuilder, sql } from 'kysely'

import type { Right } from '../../domain/rights.ts'

/** What a user may do, as rows of one `right_code` each: the profile's rights, less those taken from this person, and those given beside. */
export const heldRights = (user: RawBuilder<unknown>, profile: RawBuilder<unknown>) =>
  sql<{ right_code: Right }>`(
    select right_code from profile_rights where profile = ${profile}
      and right_code not in (select right_code from user_rights where user_id = ${user} and not held)
    union select right_code from user_rights where user_id = ${user} and held)`

/** The codes of user `u`, in an order that stays. */
export const rightsOfUser = sql<
  Right[]
>`array(select right_code from ${heldRights(sql`u.id`, sql`u.profile`)} held order by right_code)`
