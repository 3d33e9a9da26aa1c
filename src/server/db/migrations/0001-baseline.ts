import { type Kysely, sql } from 'kysely'

import { accounts } from './baseline/accounts.ts'
import { catalogue } from './baseline/catalogue.ts'
import { library } from './baseline/library.ts'
import { loans } from './baseline/loans.ts'
import { mail } from './baseline/mail.ts'
import { readers } from './baseline/readers.ts'
import { tallies } from './baseline/tallies.ts'
import { work } from './baseline/work.ts'

/** Makes every table of 0.1.0, each subject after those that it refers to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [library, accounts, catalogue, readers, loans, tallies, work, mail].flat()
  for (const statement of statements) await sql.raw(statement).execute(db)
  for (const [position, [code, name]] of fields.entries()) {
    await sql`insert into reference_fields (code, name, position) values (${code}, ${name}, ${position})`.execute(
      db,
    )
  }
  await sql`insert into start_progress default values`.execute(db)
}

/** The fields of a reference that a library may name otherwise, in the order of its form. */
const fields = [
  ['author', 'Auteur'],
  ['performer', 'Interprète'],
  ['publisher', 'Éditeur'],
  ['collection', 'Collection'],
  ['year', 'Année'],
  ['subhead', 'Sous-titre'],
  ['title_inside', 'Titre intérieur'],
  ['volume', 'Tome'],
  ['publication_date', 'Date de publication'],
  ['language', 'Langue'],
  ['level', 'Niveau'],
  ['section', 'Section'],
  ['subcollection', 'Sous-collection'],
  ['book_number', 'Cote'],
  ['book_number_dewey', 'Cote Dewey'],
  ['subject', 'Sujet'],
  ['linked_authors', 'Auteurs secondaires'],
  ['person_in_charge', 'Responsable'],
  ['linked_ref', 'Références liées'],
  ['origin', 'Origine'],
  ['provider', 'Fournisseur'],
  ['buying_price', 'Prix d’achat'],
  ['documentary_background', 'Fonds documentaire'],
  ['summary', 'Résumé'],
] as const
