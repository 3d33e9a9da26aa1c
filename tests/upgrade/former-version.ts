import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** `lastBeforeBaseline` (migrations/migrations.ts), whose tables were made step by step. */
export const formerCommit = '7e10f1d5b94b50716e39c47825f19b7f097fcc80'

export type FormerStorage = { dataDir: string; databaseUrl: string | null }

const run = promisify(execFile)

export const environmentOf = ({ dataDir, databaseUrl }: FormerStorage) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
})

/** Runs lines of TypeScript among the former version's own sources. */
async function inFormer(directory: string, storage: FormerStorage, lines: string): Promise<string> {
  const opened = `
    import { sql } from 'kysely'
    import { openEnvironment } from './src/server/db/environment.ts'
    const environment = await openEnvironment(
      { dataDir: process.env.DATA_DIR, databaseUrl: process.env.DATABASE_URL || null }, 1)
    try { ${lines} } finally { await environment.close() }`
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', opened], {
    cwd: directory,
    env: { ...process.env, ...environmentOf(storage) },
  })
  return stdout
}

/** What it has no calls for. Éric Dupont waits for the first film, Alice Martin has the third for days of her own. */
const beside = [
  `insert into reservations (beneficiary_id, reference_id, copy_id, site, start_date, end_date, status, queue_position, comment) values
     (2, 11, null, 2, null, null, 'waiting', 1, 'Pour l’été'),
     (4, 11, null, 2, null, null, 'waiting', 2, ''),
     (1, 13, 13, 2, current_date + 20, current_date + 27, 'confirmed', null, '')`,
  `insert into locations (label) values ('Réserve'), ('Salle n° 2')`,
  `update copies set location = 2, buy_date = '2019-02-28', price = 12.5, state = 'GOOD', cycle_type = 'WEEK', cycle_value = 2 where id = 1`,
  `insert into copies (reference, bar_code, site, type, price) values (1, '0003001', 1, 'Vente', 3)`,
  `insert into copies (reference, bar_code, site, status) values (2, '3002', 2, 'Non Disponible')`,
  `insert into copies (reference, bar_code, site, deleted_at) values (2, '3003', 2, now())`,
  `update "references" set description = 'Une description.' || chr(10) || 'À suivre', short_description = 'Brève', deposit_check = true, new_at = '2026-01-31', reference_data = '{"summary":"Résumé","language":"fre"}',
     tags = '{"author":"Zola, Émile","publisher":"Charpentier","year":"1885","collection":"Les Rougon-Macquart"}' where id = 1`,
  `insert into keywords (name) values ('Été'), ('Zola')`,
  `insert into reference_keywords (reference, keyword) select 1, id from keywords`,
  `insert into "references" (name, category, medium, deleted_at) values ('Retiré', 1, 1, now())`,
  `insert into user_sites (user_id, site) select id, 1 from users where username = 'lecture'`,
  `insert into translations (code, translation) values ('copy', 'volume') on conflict (code) do update set translation = 'volume'`,
]

/** Its test library, by its own hand, and what is beside. */
export const seedFormer = (directory: string, storage: FormerStorage) =>
  inFormer(
    directory,
    storage,
    `
    const { furnishEnvironment } = await import('./src/server/furnish-environment.ts')
    const { furnishTestLibrary } = await import('./tests/support/test-library.ts')
    await furnishEnvironment(environment.db, 'mot-de-passe-admin')
    await furnishTestLibrary(environment.db)
    for (const statement of ${JSON.stringify(beside)}) await sql.raw(statement).execute(environment.db)`,
  )

/** How many rows each of its tables has: what it has no call for is counted. */
export async function countFormer(
  directory: string,
  storage: FormerStorage,
): Promise<Record<string, number>> {
  const said = await inFormer(
    directory,
    storage,
    `
    const counts = {}
    for (const table of ${JSON.stringify(countedTables)}) {
      const { rows } = await sql\`select count(*) as n from \${sql.table(table)}\`.execute(environment.db)
      counts[table] = Number(rows[0].n)
    }
    process.stdout.write(JSON.stringify(counts))`,
  )
  return JSON.parse(said) as Record<string, number>
}

export const countedTables = [
  'users',
  'sessions',
  'audit_journal',
  'idempotency_keys',
  'settlements',
  'devices',
  'loanings',
  'reservations',
  'copies',
  'references',
  'mail_outbox',
] as const
