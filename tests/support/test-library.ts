import { sql } from 'kysely'

import type { Right } from '../../src/domain/rights.ts'
import type { Db } from '../../src/server/db/handles.ts'
import { hashPassword } from '../../src/server/session/password-hash.ts'

/** Password of every user of the test library but `admin`. */
export const testPassword = 'mot-de-passe-de-test'
export const adminPassword = 'mot-de-passe-admin'

/** What « Bibliothécaire » of the test library holds beside what is delivered. */
export const addedToLibrarian: readonly Right[] = ['LOANING_OVERRIDE']

/**
 * Every test starts from two sites, three media, and a copy each of ten books and five DVDs. Copies are
 * `1001`…`1010` (books, site 1) and `2001`…`2005` (DVDs, site 2). Readers, with ids from 1, are `R1` Alice
 * Martin, `R2` Éric Dupont (with the relative `R2A` Zoé), `R3` Noémie Expirée (left in 2020) and `R4` Jean
 * Sans-Courriel.
 */
export async function seedTestLibrary(db: Db): Promise<void> {
  // A librarian lends by hand what the rules refuse, in many tests.
  for (const right of addedToLibrarian) {
    await sql`insert into profile_rights (profile, right_code)
      select id, ${right} from profiles where name = 'Bibliothécaire'`.execute(db)
  }
  const password_hash = await hashPassword(testPassword)
  const people = [
    ['biblio', 'Bibliothécaire'],
    ['benevole', 'Bénévole'],
    ['lecture', 'Consultation'],
  ] as const
  for (const [username, profile] of people) {
    await sql`insert into users (username, password_hash, profile, email, firstname, lastname)
      select ${username}, ${password_hash}, id, ${`${username}@exemple.fr`}, ${username}, 'Test' from profiles where name = ${profile}`.execute(
      db,
    )
  }
  await sql`update sites set name = 'Centre' where id = 1`.execute(db)
  await sql`insert into sites (name) values ('Annexe')`.execute(db)
  await sql`update parameters set value = '1' where code = 'multisite'`.execute(db)
  await sql`insert into categories (name) values ('Roman'), ('Film')`.execute(db)
  await sql`insert into media (name, code, duration, duration_type, max_loaning, max_late, penalty_enabled, penalty_amount, penalty_duration_type)
    values ('Livre', 'LIV', 3, 'WEEK', 5, null, true, 0.50, 'WEEK'), ('DVD', 'DVD', 7, 'DAY', 2, 0, false, null, null),
      ('Sans limite', 'SL', null, null, null, null, false, null, null)`.execute(db)
  await sql`insert into "references" (name, code, category, medium, price, tags)
    select 'Livre numéro ' || n, 'L' || n, 1, 1, 0.25, '{"author":"Zola, Émile"}' from generate_series(1, 10) n`.execute(
    db,
  )
  await sql`insert into "references" (name, code, category, medium, tags)
    select 'Film numéro ' || n, 'F' || n, 2, 2, '{"author":"Varda, Agnès"}' from generate_series(1, 5) n`.execute(
    db,
  )
  await sql`insert into copies (reference, bar_code, site) select n, (1000 + n)::text, 1 from generate_series(1, 10) n`.execute(
    db,
  )
  await sql`insert into copies (reference, bar_code, site) select 10 + n, (2000 + n)::text, 2 from generate_series(1, 5) n`.execute(
    db,
  )
  await sql`insert into beneficiaries (matricule, lastname, firstname, reader_id, email, agency_id, contract_type, exit_date) values
    ('M1', 'Martin', 'Alice', 'R1', 'alice@exemple.fr', 1, 'CDI', null),
    ('M2', 'Dupont', 'Éric', 'R2', 'eric@exemple.fr', 1, 'CDD', null),
    ('M3', 'Expirée', 'Noémie', 'R3', 'noemie@exemple.fr', 2, 'CDI', '2020-01-01'),
    ('M4', 'Sans-Courriel', 'Jean', 'R4', null, 2, 'CDI', null)`.execute(db)
  // It is at work, and nothing of its first start is left to do.
  await sql`update start_progress set dismissed_at = now()`.execute(db)
  await sql`insert into relatives (beneficiary, lastname, firstname, reader_id) values (2, 'Dupont', 'Zoé', 'R2A')`.execute(
    db,
  )
}
