import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { isDistributing } from '../support/distributed-databases.ts'
import { describeServer } from '../support/test-server.ts'

// What the product uses that a distributed engine treats otherwise. Where a name comes or goes here,
// docs/scaling.md, « A distributed engine », says what that means.
const told: Readonly<Record<string, readonly string[]>> = {
  'extensions in `public`': ['btree_gist', 'citext', 'pg_trgm', 'unaccent'],
  'exclusion constraints': ['reservations_never_overlap', 'reservations_queue'],
  'deferred constraints': ['reservations_queue'],
  'identity columns, by type': ['bigint', 'integer'],
  'sequences of their own': [],
  'defaults that call a function': ['now()', 'pg_current_xact_id()'],
  'triggers of a row': [
    'beneficiaries_told',
    'beneficiaries_touched',
    'copies_figures_moved',
    'copies_told',
    'inventories_touched',
    'inventory_scans_touched',
    'loanings_told',
    'mail_outbox_touched',
    'references_told',
    'references_touched',
    'relatives_touch',
    'reservations_leave_queue',
    'reservations_told',
  ],
  'triggers of a statement, with transition tables': [
    'loanings_added',
    'loanings_changed',
    'loanings_figures_added',
    'loanings_figures_changed',
    'loanings_figures_gone',
    'loanings_gone',
    'references_figures_moved',
    'reservations_renumber_added',
    'reservations_renumber_changed',
  ],
  'triggers of a statement, without': ['loanings_emptied', 'loanings_figures_emptied'],
  functions: [
    'claim_key',
    'claim_new_key',
    'forget_figure_tallies',
    'forget_tallies',
    'reservation_leaves_queue',
    'reservations_renumber',
    'search_text',
    'tally_copy_moved',
    'tally_figures_added',
    'tally_figures_changed',
    'tally_figures_gone',
    'tally_loans_added',
    'tally_loans_changed',
    'tally_loans_gone',
    'tally_titles_moved',
    'tell_row_change',
    'touch_beneficiary_of_relative',
    'touch_changed_xid',
  ],
  'advisory locks within functions': ['claim_key', 'claim_new_key', 'reservations_renumber'],
  'tables without a primary key': [
    'lending_tallies',
    'loan_tallies',
    'public_tallies',
    'return_tallies',
    'row_changes',
  ],
  'indexes that are no b-tree': ['gin', 'gist'],
  'foreign keys to another schema': [],
  'views, partitions, tables that inherit, are foreign, unlogged or temporary': [],
  'types, domains, rules, policies and event triggers': [],
  'advisory locks of a session': [
    'db/connections/schema-lock',
    'db/connections/statement-batch',
    'db/environments/managing',
    'environments/manage-environments',
  ],
  'advisory locks of a transaction': [
    'closures/closing',
    'db/environments/distribution',
    'db/environments/migrate',
    'db/library-lock',
    'loans/lending-facts',
    'queue/lock-queue',
    'queue/undo-reservations',
  ],
  'numbers of transactions and snapshots': [
    'backup/load-environment',
    'db/environments/distribution',
    'events/read-changes',
    'housekeeping/housekeeping',
    'snapshot/horizon',
  ],
  'what a machine says of itself': [
    'db/connections/own-connections',
    'db/connections/replica',
    'db/environments/environment',
    'db/past',
    'environments/move-environment',
    'snapshot/horizon',
  ],
  'LISTEN and NOTIFY': ['db/connections/listener', 'db/environments/managing', 'events/doorbell'],
  'settings of a connection': [
    'backup/dump-environment',
    'db/connections/pool',
    'db/connections/schema-lock',
    'db/environments/distribution',
    'stats/parts',
  ],
  'transactions that read one instant': ['db/one-instant'],
  cursors: ['backup/dump-environment', 'data-export/make-archive'],
  savepoints: ['db/part-of-transaction', 'http/run-change'],
  'rows that are skipped where locked': [
    'data-export/archive-maker',
    'mail/send-mails',
    'reservations/set-aside',
  ],
  'tables that are locked': ['data-export/read-archive', 'db/environments/migrate'],
  'sequences that are asked': [
    'backup/load-environment',
    'data-export/read-archive',
    'db/past',
    'demonstration/bulk-insert',
    'loans/lending-facts',
  ],
  'INSERT in WITH': ['imports/seen-keys'],
  'UPDATE and DELETE in WITH': [
    'catalogue/list-routes',
    'housekeeping/housekeeping',
    'loans/undo-loans',
    'mail/look-again',
    'start/remove-sample',
  ],
  'statements prepared by name': ['db/connections/named-statements'],
  'schemas that are made, renamed or dropped': [
    'backup/restore-place',
    'backup/restore-place-of-one',
    'db/environments/migrate',
    'environments/manage-environments',
    'environments/move-environment',
    'environments/move-target',
  ],
  'triggers that are switched off': ['backup/load-environment'],
  'COPY, temporary tables, indexes made concurrently, two-phase commits, MERGE, TRUNCATE': [],
}

/** In an environment's schema, as its migrations leave it. */
const inTheSchema: Record<string, string> = {
  'extensions in `public`': `select extname from pg_extension where extname <> 'plpgsql'`,
  'exclusion constraints': `select conname from pg_constraint where contype = 'x' and connamespace = here.oid`,
  'deferred constraints': `select conname from pg_constraint where condeferrable and connamespace = here.oid`,
  'identity columns, by type': `select format_type(atttypid, null) from pg_attribute join pg_class c on c.oid = attrelid
    where relnamespace = here.oid and attidentity <> ''`,
  'sequences of their own': `select relname from pg_class c where relkind = 'S' and relnamespace = here.oid
    and not exists (select from pg_depend where objid = c.oid and deptype = 'i')`,
  'defaults that call a function': `select substring(pg_get_expr(adbin, adrelid) from '[a-z_]+\\(')
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum join pg_class c on c.oid = adrelid
    where relnamespace = here.oid and attgenerated = ''`,
  'triggers of a row': `select tgname from pg_trigger join pg_class c on c.oid = tgrelid
    where relnamespace = here.oid and not tgisinternal and tgtype & 1 = 1`,
  'triggers of a statement, with transition tables': `select tgname from pg_trigger join pg_class c on c.oid = tgrelid
    where relnamespace = here.oid and coalesce(tgoldtable, tgnewtable) is not null`,
  'triggers of a statement, without': `select tgname from pg_trigger join pg_class c on c.oid = tgrelid
    where relnamespace = here.oid and not tgisinternal and tgtype & 1 = 0 and coalesce(tgoldtable, tgnewtable) is null`,
  functions: `select proname from pg_proc p where pronamespace = here.oid
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  'advisory locks within functions': `select proname from pg_proc p where pronamespace = here.oid and prosrc ~ 'advisory'`,
  'tables without a primary key': `select relname from pg_class c where relkind = 'r' and relnamespace = here.oid
    and not exists (select from pg_index where indrelid = c.oid and indisprimary)`,
  'indexes that are no b-tree': `select amname from pg_class c join pg_am a on a.oid = relam
    where relkind = 'i' and relnamespace = here.oid and amname <> 'btree'`,
  'foreign keys to another schema': `select conname from pg_constraint join pg_class c on c.oid = confrelid
    where contype = 'f' and connamespace = here.oid and relnamespace <> here.oid`,
  'views, partitions, tables that inherit, are foreign, unlogged or temporary': `select relname from pg_class
    where relnamespace = here.oid and (relkind in ('v', 'm', 'p', 'f', 'I') or relpersistence <> 'p' or relispartition)
    union select inhrelid::regclass::text from pg_inherits join pg_class c on c.oid = inhrelid where relnamespace = here.oid`,
  'types, domains, rules, policies and event triggers': `select typname from pg_type t where typnamespace = here.oid
      and typtype not in ('c', 'b') and not exists (select from pg_depend where objid = t.oid and deptype = 'e')
    union select rulename from pg_rewrite join pg_class c on c.oid = ev_class where relnamespace = here.oid
    union select polname from pg_policy join pg_class c on c.oid = polrelid where relnamespace = here.oid
    union select evtname from pg_event_trigger`,
}

/** In the server's statements, without those of migrations. */
const inTheCode: Record<string, RegExp> = {
  'advisory locks of a session': /\bpg_(try_)?advisory_(lock|unlock)\w*\(/,
  'advisory locks of a transaction': /\bpg_(try_)?advisory_xact_lock\w*\(|\b(queue|library)Locked\(/,
  'numbers of transactions and snapshots':
    /\bpg_current_(xact_id|snapshot)\b|\bpg_(visible_in_)?snapshot(_\w+)?\b/,
  'what a machine says of itself':
    /\bpg_(control_system|walfile_name|current_wal_lsn|is_in_recovery|last_xact_replay_timestamp|backend_pid)\(/,
  'LISTEN and NOTIFY': /`(un)?listen \$|\bpg_notify\(/,
  'settings of a connection': /\bset_config\(|`set (local |session |search_path)/,
  'transactions that read one instant': /'repeatable read'|'serializable'/,
  cursors: /\bdeclare \w+ (no scroll )?cursor\b/,
  savepoints: /`savepoint /,
  'rows that are skipped where locked': /\bskip locked\b/,
  'tables that are locked': /\block table\b/,
  'sequences that are asked': /\b(nextval|setval|currval)\(/,
  'INSERT in WITH': /\bas (materialized )?\(\s*insert\b/,
  'UPDATE and DELETE in WITH': /\bas (materialized )?\(\s*(update|delete)\b/,
  'statements prepared by name': /\bclass extends pg\.Client implements NamingClient\b/,
  'schemas that are made, renamed or dropped': /\b(create|alter|drop) schema\b/,
  'triggers that are switched off': /\bsession_replication_role\b|\bdisable trigger\b/,
  'COPY, temporary tables, indexes made concurrently, two-phase commits, MERGE, TRUNCATE':
    /\bcopy [^;`]+ (from|to) std|\btemp(orary)? table\b|\bindex concurrently\b|\bprepare transaction\b|`\s*(merge into|truncate)\b/,
}

const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && !path.includes('/migrations/'))
  .map((path) => ({
    path,
    code: readFileSync(join('src/server', path), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''),
  }))

const filesWith = (pattern: RegExp) =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path.replace(/\.ts$/, ''))

describeServer('what a distributed engine treats otherwise', (server) => {
  // Once distributed, a schema has what was added for it.
  it.skipIf(isDistributing).each(Object.entries(inTheSchema))('is told: %s', async (construct, query) => {
    const { rows } = await sql<{ name: string }>`
      select distinct found.name::text as name
      from (select current_schema()::regnamespace::oid as oid) here
      cross join lateral (select * from (${sql.raw(query)}) named (name)) found where found.name is not null`.execute(
      server.db,
    )
    const found = rows.map(({ name }) => (name.endsWith('(') ? `${name})` : name)).sort()
    expect(told[construct]).toEqual(found)
  })
})

describe('what a distributed engine treats otherwise', () => {
  it.each(Object.entries(inTheCode))('is told: %s', (construct, pattern) => {
    expect(told[construct]).toEqual(filesWith(pattern).sort())
  })

  it('is all that is told', () => {
    const asked = [...Object.keys(inTheSchema), ...Object.keys(inTheCode)]
    expect(Object.keys(told)).toEqual(asked)
  })
})

it('the server asks for the database’s own identity where no table is read, so that it is always the same machine’s', () => {
  // A device's cursor alone asks for the machine of the rows, which a library may leave for another.
  const ofTheAsked = sources.filter(({ path }) => path !== 'snapshot/horizon.ts')
  const asking = ofTheAsked.flatMap(({ code }) =>
    (code.replaceAll(/\$\{`[^`]*`\}/g, '').match(/`[^`]*`/g) ?? []).filter((text) =>
      text.includes('pg_control_system('),
    ),
  )
  expect(asking).not.toEqual([])
  expect(asking.filter((text) => /\bfrom (?!pg_control_system)/.test(text))).toEqual([])
})
