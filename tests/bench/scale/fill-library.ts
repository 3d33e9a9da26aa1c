import type pg from 'pg'

import type { ConnectionPool } from '../../../src/server/db/connections/borrowing-pool.ts'
import { countLoans } from '../../../src/server/db/migrations/baseline/tallies.ts'

export type LibrarySize = { references: number; copies: number; beneficiaries: number; loans: number }

export const largeLibrary: LibrarySize = {
  references: 100_000,
  copies: 200_000,
  beneficiaries: 50_000,
  loans: 1_000_000,
}

/** Tells apart two readers that the tables compare: by how much they have at home. */
export const readerWithMany = { id: 1, open: 400 }
export const readerWithFew = { id: 2, open: 4 }

/** Copies are numbered from here, by their id. */
const firstBarCode = 3_000_000_000
export const barCodeOf = (copy: number): string => String(firstBarCode + copy)

/** Every sixth copy is out, and no other. */
const copyStep = 6

/** Of what is open: three in a hundred of a large library's million loans; never more than a copy in six. */
export const openLoansOf = ({ copies, loans }: LibrarySize): number =>
  Math.min(30_000, Math.floor(copies / copyStep), Math.floor(loans / 3))

/** One reference in as many is waited for by somebody, at most two thousand of them. */
export const reservedStep = ({ references }: LibrarySize): number =>
  Math.max(1, Math.floor(references / 2000))

/** Every fifth copy is at the second site. */
const annexStep = 5

/** Whether a copy is at home at the first site, with nobody waiting for its title. */
export const isLendable = (copy: number, size: LibrarySize): boolean =>
  copy % copyStep !== 0 && copy % annexStep !== 0 && referenceOf(copy, size) % reservedStep(size) !== 0

/** Copies go through the references in turn. */
export const referenceOf = (copy: number, { references }: LibrarySize): number =>
  ((copy - 1) % references) + 1

// Days of loans, shared out among copies so that none is lent twice at once.
const historyDays = 2190

const lastnames =
  'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefèvre Michel García David Bertrand Roux Vincent Fournier Morel Girard André Lefèbvre Mercier Dupont Lambert Bonnet François Martínez Legrand Garnier Faure Rousseau Blanc Guérin Müller Henry Roussel Nicolas Perrin Morin Mathieu Clément Gauthier Dumont López Fontaine Chevalier Robin Masson Sánchez Gérard Nguyên Boyer Denis Lemaire Duval Joly Gautier Roger Roche Roy Noël Meyer Lucas Meunier Jean Pérez Marchand Dufour Blanchard Marie Barbier Brun Dumas Brunet Schmitt Leroux Colas Fernández Pierre Renard Arnaud Rolland Caron Aubert Giraud Leclerc Vidal Bourgeois Renaud Lemoine Picard Gaillard Philippe Leclercq Lacroix Fabre Dupuis Olivier Rodríguez Da-Silva Hubert Louis Charles Guillot Rivière Le-Gall Guillaume Adam Rey Moulin González Berger Lecomte Menard Fléchet Deschamps Carpentier Benoît Bénard Étienne Œuvrard Ÿvrande Çelik'
const firstnames =
  'Alice Éric Noémie Jean Zoé Chloé Inès Léa Manon Jade Louise Emma Lina Rose Anna Mila Ambre Julia Lou Agathe Léna Juliette Éva Sarah Camille Lucie Maëlys Élise Théo Hugo Léo Raphaël Arthur Louis Jules Adam Maël Lucas Gabriel Noé Nathan Ethan Paul Tom Sacha Mohamed Aaron Gaspard Antoine Victor Martin Axel Eden Côme Célestin François Gérard Héloïse Thaïs Anaïs Joëlle Loïc Benoît Cécile Frédéric Hélène Irène Jérôme Mélanie Sébastien Véronique Élodie Aurélie Rémi Stéphane Françoise'
const titleWords =
  'ombre lumière rivière mémoire château forêt étoile été hiver mer île vent silence secret voyage maison jardin nuit aube cœur âme guerre paix chat loup oiseau enfant mère père frère sœur ville village montagne désert océan pluie neige feu terre ciel rêve mensonge vérité promesse trésor carnet lettre chanson danse école cuisine musique peinture histoire médecine énigme détective reine roi dragon sorcière robot planète galaxie pirate'
const titleStarts =
  'Le|La|Les|Une|L’autre|Au bout de|Sous|Dans|Après|Contre|Vers|Le dernier|La première|Le petit|La grande|Chez|Mon|Notre|Quand vient|Entre'

const list = (words: string, separator = ' ') =>
  `array[${words
    .split(separator)
    .map((word) => `'${word}'`)
    .join(',')}]`
/** A number from 0 to size - 1 that n and salt decide: the same library every time. */
const pick = (n: string, salt: number, size: number | string) =>
  `((hashint8extended((${n})::bigint, ${salt}) & 2147483647) % (${size}))::int`
const oneOf = (words: string, n: string, salt: number, separator = ' ') =>
  `(${list(words, separator)})[1 + ${pick(n, salt, words.split(separator).length)}]`
/** From 0 to 1. */
const part = (n: string, salt: number) =>
  `((hashint8extended((${n})::bigint, ${salt}) & 2147483647) / 2147483647.0)`

/**
 * Fills an environment by `generate_series` with six years of loans. Triggers, foreign keys and indexes are
 * off meanwhile, as in a restore, because the rows satisfy them by construction.
 */
export async function fillLibrary(
  pool: Pick<ConnectionPool, 'connect' | 'query'>,
  size: LibrarySize,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    const indexes = await dropIndexes(client)
    for (const statement of statementsOf(size)) await client.query(statement)
    await client.query(countLoans)
    for (const definition of indexes) await client.query(definition)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

/** Answers how to make them again; those that stand for a constraint stay. */
async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select quote_ident(c.relname) as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relname in ('references', 'copies', 'beneficiaries', 'relatives', 'loanings') and t.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

function statementsOf(size: LibrarySize): string[] {
  const { references, copies, beneficiaries, loans } = size
  const open = openLoansOf(size)
  const past = loans - open
  const rounds = Math.ceil(past / copies)
  const daysOfRound = Math.floor(historyDays / rounds)
  const { id: many, open: openOfMany } = readerWithMany
  const { id: few, open: openOfFew } = readerWithFew
  // Some readers borrow far more than others; the two that are compared have as long a history.
  const borrower = (n: string) => `case when ${n} <= 400 then ${many} when ${n} <= 800 then ${few}
      else 3 + floor(power(${part(n, 31)}, 1.5) * ${beneficiaries - 3})::int end`
  const someone = `(select id from users limit 1)`
  return [
    `insert into sites (name) values ('Annexe')`,
    `insert into categories (name) values ('Roman'), ('Jeunesse'), ('Bande dessinée'), ('Documentaire'), ('Film'), ('Musique'), ('Jeu')`,
    `insert into media (name, code, duration, duration_type, max_loaning, max_late, penalty_enabled, penalty_amount, penalty_duration_type)
     values ('Livre', 'LIV', 3, 'WEEK', 1000, 1000, true, 0.50, 'WEEK'), ('DVD', 'DVD', 7, 'DAY', 1000, 1000, false, null, null),
       ('CD', 'CD', 2, 'WEEK', 1000, 1000, false, null, null), ('Jeu', 'JEU', 1, 'MONTH', 1000, 1000, false, null, null)`,
    `insert into "references" (name, code, category, medium, price, tags)
     select ${oneOf(titleStarts, 'n', 1, '|')} || ' ' || ${oneOf(titleWords, 'n', 2)} || ' et ' || ${oneOf(titleWords, 'n', 3)} || ', tome ' || (1 + n % 9),
       '978' || lpad((n * 7919::bigint % 1000000000)::text, 10, '0'), 1 + ${pick('n', 4, 7)}, 1 + ${pick('n', 5, 4)}, 0.25,
       jsonb_build_object('author', ${oneOf(lastnames, 'n', 6)} || ', ' || ${oneOf(firstnames, 'n', 7)})
     from generate_series(1, ${references}) n`,
    `insert into copies (reference, bar_code, site, status, buy_date)
     select 1 + (n - 1) % ${references}, (${firstBarCode} + n)::text, case when n % ${annexStep} = 0 then 2 else 1 end,
       case when n % ${copyStep} = 0 and n / ${copyStep} <= ${open} then 'En Location' else 'Disponible' end, current_date - ${pick('n', 11, historyDays)}
     from generate_series(1, ${copies}) n`,
    `insert into beneficiaries (matricule, lastname, firstname, reader_id, email, agency_id, contract_type, exit_date)
     select 'M' || n, ${oneOf(lastnames, 'n', 21)} || case when n % 7 = 0 then '-' || ${oneOf(lastnames, 'n', 22)} else '' end, ${oneOf(firstnames, 'n', 23)},
       '2' || lpad(n::text, 9, '0'), 'lecteur' || n || '@exemple.fr', 1 + n % 2, 'CDI',
       case when n % 20 = 3 then current_date - ${pick('n', 24, 700)} - 1 end
     from generate_series(1, ${beneficiaries}) n`,
    `insert into loanings (loan_key, beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type,
       lent_by, lent_at, lent_received_at, returned_by, returned_at, returned_received_at)
     select gen_random_uuid(), beneficiary, copy, site, status, start_date, start_date + 21, return_date, 3, 'WEEK',
       ${someone}, start_date + time '10:00', start_date + time '10:00',
       case when return_date is not null then ${someone} end, return_date + time '16:00', return_date + time '16:00'
     from (
       select copy, beneficiary, case when copy % ${annexStep} = 0 then 2 else 1 end as site,
         case when n % 100 = 7 then 'cancelled' else 'finished' end as status, start_date,
         case when n % 100 <> 7 then start_date + 2 + days end as return_date
       from (
         select n, 1 + (n - 1) % ${copies} as copy, ${borrower('n')} as beneficiary,
           current_date - ${historyDays + 100} + ((n - 1) / ${copies}) * ${daysOfRound} + ${pick('n', 32, daysOfRound - 45)} as start_date,
           case when n % 10 = 0 then ${pick('n', 33, 43)} else ${pick('n', 33, 20)} end as days
         from generate_series(1, ${past}) n
       ) past
     ) dated order by start_date`,
    `insert into loanings (loan_key, beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_by, lent_at, lent_received_at)
     select gen_random_uuid(), beneficiary, copy, case when copy % ${annexStep} = 0 then 2 else 1 end, start_date, start_date + 21, 3, 'WEEK',
       ${someone}, start_date + time '10:00', start_date + time '10:00'
     from (
       select n * ${copyStep} as copy,
         case when n <= ${openOfMany} then ${many} when n <= ${openOfMany + openOfFew} then ${few}
           else 3 + ${pick('n', 41, beneficiaries - 3)} end as beneficiary,
         current_date - case when n % 8 = 0 then ${pick('n', 42, 90)} else ${pick('n', 42, 22)} end as start_date
       from generate_series(1, ${open}) n
     ) dated order by start_date`,
    `insert into loan_tallies (start_date, site, status, loans) select start_date, site, status, count(*) from loanings group by 1, 2, 3`,
    `insert into reservations (beneficiary_id, reference_id, site, status, queue_position)
     select 3 + ${pick('n', 51, beneficiaries - 3)}, n * ${reservedStep(size)}, 1, 'waiting', 1
     from generate_series(1, ${Math.min(2000, references)}) n`,
  ]
}
