import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import sharp from 'sharp'

import { settingsLists } from '../../src/contract/settings-lists.ts'
import type { Environment } from '../../src/server/db/environments/environment.ts'
import { coverFile, coverSides } from '../../src/server/files/cover-files.ts'
import { drawPicture, keepPicture } from '../../src/server/files/drawn-picture.ts'
import { iso2709Notice } from '../../src/server/data-export/write-notices.ts'
import { sampleOfList } from '../support/sample-of-list.ts'

const document = Buffer.from('%PDF-1.4\nconditions de prêt\n%%EOF\n')
const version = createHash('sha256').update(document).digest('hex').slice(0, 32)

const inserted = (table: string, row: Record<string, unknown>) => sql`
  insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
  values (${sql.join(Object.values(row))})`

/** Adds to the test library what a careless archive would lose or change. */
export async function seedEverything({ db, files }: Environment): Promise<void> {
  const statements = [
    sql`insert into keywords (name, enabled) values ('Été', true), ('=1+1', false), ('perdu', true)`,
    sql`update keywords set deleted_at = now() where name = 'perdu'`,
    sql`insert into list_types (name, "group", is_main_author) values ('Auteur', 'author', true), ('Illustrateur', 'author', false), ('Thème', 'list', false)`,
    sql`insert into list_type_media values (3, 1), (3, 2)`,
    sql`insert into list_values (name, "group", type) values ('Zola, Émile', 'author', 1), ('Doré, Gustave', 'author', 2), ('Mer > Îles', 'list', 3)`,
    sql`insert into reference_list_values values (1, 1, 1), (1, 2, 2), (2, 3, 1)`,
    sql`insert into reference_keywords values (1, 1), (1, 2), (2, 1)`,
    sql`insert into locations (label, bar_code) values ('Réserve; au fond', 'RAYON-1'), ('Vitrine', null)`,
    sql`update sites set open_weekdays = '{2,3,4,5,6}' where id = 2`,
    sql`insert into closures (site, first_day, last_day, label) values (null, '2026-05-01', '2026-05-01', 'Fête du Travail'), (1, '2026-08-03', '2026-08-15', 'Été')`,
    sql`update "references" set name = '=HYPERLINK("http://x")', description = ${'ligne\nautre\r\nligne; "guillemets"'},
      short_description = ' espaces ', reference_data = '{"subhead":"-1","book_number":"R ZOL","linked_authors":"Doré, Gustave ; Hetzel"}',
      tags = '{"author":"Zola, Émile","year":"1885","publisher":"Charpentier"}', audience = 'adult', new_at = '2026-12-31',
      code = '9782070409228', price = 1.5 where id = 1`,
    sql`update "references" set deleted_at = now() where id = 15`,
    sql`update copies set location = 1, buy_date = '2024-02-29', price = 3.1, cycle_type = 'WEEK', cycle_value = 2 where id = 1`,
    sql`update copies set deleted_at = now(), withdrawn_on = '2026-01-05', withdrawal_reason = ${'@perdu'} where reference = 15`,
    sql`update copies set sent_from = 2, sent_at = '2026-03-01T08:00:00.5Z', status = 'En transfert' where id = 3`,
    sql`update beneficiaries set dossiers = '{"Dossier, A","B"}', wallet_amount = -5, birth_year = 1980, message = ${"'+33"},
      displayed = '[{"name":"Service","value":"Paie","tab":"professional"}]', phone = '+33 1 02', address = ${'1 rue\nde là'}, commune = 'Gières' where id = 1`,
    sql`insert into eligibility_values (kind, name) values ('CONTRACT', 'CDI')`,
    sql`insert into media_analytics values (1, 1, 'A-1'), (1, 2, 'A-2')`,
    sql`insert into media_images_sources values (1, 'own,bnf')`,
    sql`update media set accounting_code = '706', max_renewals = 3, eligibility = '{"contracts":["CDI"],"statuses":[],"dossiers":[]}',
      loaning_conditions_enabled = true, loaning_conditions_label = 'Règlement',
      loaning_conditions_file = ${`conditions/${version}.pdf`} where id = 2`,
    sql`insert into bar_codes_given (bar_code, site) values ('1001', 1), ('2001', 2)`,
    sql`update sites set gestit_id = '42', bar_codes_configuration = '{"siteCode":"C","firstValue":"0001","symbology":"CODE39"}', last_reference = 'C0007', last_number = 7 where id = 1`,
    sql`update translations set translation = 'genre' where code = 'medium'`,
    sql`update reference_fields set traduction = 'Cote locale', disabled = true where code = 'book_number'`,
    sql`insert into user_sites select id, 2 from users where username = 'benevole'`,
    sql`update mail_templates set content = ${'<p>Bonjour; "vous"</p>\n'}, enabled = not enabled, days = case when type = 'object' then 21 end where code = 'late_1'`,
    sql`insert into loanings (beneficiary, relative, copy, site, start_date, end_date, duration_value, duration_type, lent_by, lent_at, lent_received_at, comment)
      values (2, 1, 1, 1, '2026-03-01', '2026-03-22', 3, 'WEEK', 2, '2026-03-01T09:00:00.123456Z', '2026-03-01T09:00:01Z', ${'=2+2'})`,
    sql`update copies set status = 'En Location' where id = 1`,
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, amount, lent_at, lent_received_at,
        returned_by, returned_at, returned_received_at, penalty_count, penalty_duration, penalty_amount, return_comment, state, state_before_return, delay_reason, delay_comment,
        override_reason, end_date_flagged, conditions_given, conditions_label, conditions_version, reminded_on, age_band, audience)
      values (1, 11, 2, 'finished', '2026-01-02', '2026-01-09', '2026-02-01', 7, 'DAY', 2.5, '2026-01-02T10:00:00Z', '2026-01-02T10:00:00Z',
        1, '2026-02-01T10:00:00Z', '2026-02-01T10:00:00Z', 3, 21, 0.5, 'rayé', 'DAMAGED', 'GOOD', 1, 'neige', 'urgence', true, true, 'Règlement', ${version}, '2026-01-20', '25-64', 'adult')`,
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, duration_value, duration_type, free, free_reason, lent_at, lent_received_at, deleted_at)
      values (3, 15, 2, 'cancelled', '2026-01-02', '2026-01-09', 7, 'DAY', true, 4, '2026-01-02T10:00:00Z', '2026-01-02T10:00:00Z', '2026-01-02T11:00:00Z')`,
    // A reader who was forgotten.
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      values (null, 2, 1, 'finished', '2025-01-02', '2025-01-09', '2025-01-08', 7, 'DAY', '2025-01-02T10:00:00Z', '2025-01-02T10:00:00Z')`,
    sql`insert into cut_loans (loaning, previous_on, previous_here_on, cut_on, contract_type, agency_id, registered_on, commune, kind)
      values (4, '2024-12-01', null, '2025-06-01', 'Étudiant; boursier', 1, '2020-09-01', 'Saint-Étienne', 'person')`,
    sql`insert into last_cut_loans (beneficiary, site, day, active_on) values (1, 1, '2024-11-30', '2024-12-20')`,
    sql`insert into letters (beneficiary, template, why, sites, made_on) values (2, 'late_2', 'no_address', '{1,2}', '2026-03-23')`,
    sql`insert into letters (beneficiary, template, why, sites, made_on, printed_at, printed_by) values (1, 'late_1', 'refused', '{2}', '2026-01-20', '2026-01-21T10:00:00Z', 2)`,
    sql`insert into loan_reminders (loaning, level, end_date, made_on, letter) values (1, 'late_2', '2026-03-15', '2026-03-23', 1), (2, 'loaning_reminder', '2026-01-09', '2026-01-20', 2)`,
    sql`insert into sales (beneficiary, relative, copy, site, date, price, comment, sold_by, sold_at, sold_received_at)
      values (2, 1, 4, 1, '2026-03-02', 3.5, ${'=désherbé; "fonds"'}, 2, '2026-03-02T10:00:00.25Z', '2026-03-02T10:00:01Z')`,
    sql`update copies set type = 'Vente', status = 'Non Disponible', withdrawn_on = '2026-03-02', withdrawal_reason = 'Vendu' where id = 4`,
    // Sold to a reader who was forgotten; a sale that was taken back.
    sql`insert into sales (beneficiary, copy, site, date, price, free, free_reason, sold_at, sold_received_at, deleted_at)
      values (null, 5, 1, '2026-02-01', 0, true, 4, '2026-02-01T10:00:00Z', '2026-02-01T10:00:00Z', '2026-02-01T11:00:00Z')`,
    sql`insert into loan_renewals (loaning, renewed_on, from_date, to_date, user_id, received_at) values (1, '2026-03-05', '2026-03-15', '2026-03-22', 2, '2026-03-05T10:00:00Z')`,
    sql`insert into reservations (beneficiary_id, reference_id, site, queue_position, comment, cycle_value) values (1, 1, 2, 1, ${"l'un\tl’autre"}, 2)`,
    sql`insert into reservations (beneficiary_id, reference_id, copy_id, site, start_date, end_date, status, source, fulfilled_by) values (2, 1, 1, 1, '2026-03-01', '2026-03-22', 'confirmed', 'online', 1)`,
    sql`update profiles set second_factor = true where name = 'Bibliothécaire'`,
    sql`insert into profiles (name) values ('Équipe; du soir')`,
    sql`insert into user_rights select id, 'LIST_SELL', false from users where username = 'benevole'`,
    ...settingsLists.map((list) => inserted(list.name, sampleOfList(list, 'De chaque liste', 'to'))),
  ]
  for (const statement of statements) await statement.execute(db)

  const subfields = (...parts: [string, string][]) => parts.map(([code, value]) => ({ code, value }))
  const field = (tag: string, ...parts: [string, string][]) => ({
    tag,
    indicators: '  ',
    subfields: subfields(...parts),
  })
  const notice = iso2709Notice({
    leader: '00000nam  2200000   4500',
    fields: [
      { tag: '001', indicators: '', value: 'frBN00123', subfields: [] },
      field('010', ['a', '978-2-07-040922-8'], ['b', 'br.'], ['d', '7 EUR']),
      field('200', ['a', 'Livre numéro 2'], ['e', 'sous-titre'], ['f', 'Émile Zola']),
      field('210', ['a', 'Paris'], ['c', 'Charpentier'], ['d', '1885']),
      field('300', ['a', 'Note que nul champ ne dit, à garder']),
      field('606', ['a', 'Travail'], ['x', 'France']),
      field('700', ['a', 'Zola'], ['b', 'Émile'], ['3', '11930437'], ['4', '070']),
      field('995', ['f', '1002'], ['b', 'Ailleurs']),
    ],
  })
  await sql`insert into reference_notices (reference, format, content) values (2, 'iso2709', ${notice})`.execute(
    db,
  )
  await sql`insert into reference_notices (reference, format, content, charset) values (3, 'marcxml', ${Buffer.from(xml)}, 'utf-8')`.execute(
    db,
  )
  await mkdir(join(files, 'conditions'), { recursive: true })
  await writeFile(join(files, 'conditions', `${version}.pdf`), document)
  const bytes = await sharp({ create: { width: 900, height: 1300, channels: 3, background: '#135' } })
    .png()
    .toBuffer()
  const picture = (await drawPicture(bytes, Object.values(coverSides)))!
  const name = 'a'.repeat(32)
  await keepPicture(picture, files, coverFile(2, name))
  await sql`update "references" set image_version = ${name} where id = 2`.execute(db)
}

const xml = `<record xmlns="info:lc/xmlns/marcxchange-v2"><leader>00000nam a2200000   4500</leader>
<controlfield tag="001">777</controlfield><datafield tag="200" ind1="1" ind2=" "><subfield code="a">Livre numéro 3</subfield></datafield>
<datafield tag="801" ind1=" " ind2="0"><subfield code="a">FR</subfield><subfield code="b">BnF</subfield></datafield></record>`
