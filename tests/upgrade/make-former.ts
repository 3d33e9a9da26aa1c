// node --import tsx tests/upgrade/make-former.ts DIRECTORY makes tests/upgrade/former anew: DIRECTORY holds the former
// version (git archive of `formerCommit`) after its own `npm ci && npm run build`.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { format, resolveConfig } from 'prettier'

import { startProduct } from '../faults/product.ts'
import { apiOf } from '../support/api-of.ts'
import { addressOfDatabase, makeDatabase, onPostgres } from '../support/databases.ts'
import { fillFormer } from './fill-former.ts'
import { countFormer, environmentOf, seedFormer } from './former-version.ts'
import { askServer, passwordOf, tell } from './told.ts'

const run = promisify(execFile)
const [directory = ''] = process.argv.slice(2)
const name = `comptoir_former_${process.pid}`
const storage = {
  dataDir: await mkdtemp(join(tmpdir(), 'comptoir-former-')),
  databaseUrl: addressOfDatabase(name),
}
const to = (file: string) => join(import.meta.dirname, 'former', file)

await makeDatabase(name)
try {
  await seedFormer(directory, storage)
  const server = await startProduct(environmentOf(storage), { cwd: directory })
  const { calls } = await fillFormer(server.address)
  const { token } = await apiOf(server.address, 'biblio', passwordOf('biblio'))
  const told = await tell(askServer(server.address))
  // No backup is written over another.
  await rm(to('library.backup'), { force: true })
  await run(process.execPath, [join(directory, 'dist/server/backup.js'), to('library.backup')], {
    env: { ...process.env, ...environmentOf(storage) },
  })
  await server.end('SIGTERM')
  const counts = await countFormer(directory, storage)
  const dumped = ['--schema=env_1', '--inserts', '--no-owner', '--no-privileges']
  const { stdout } = await run('pg_dump', [...dumped, storage.databaseUrl], { maxBuffer: 64 * 1024 * 1024 })
  // Lines with a backslash are for psql alone.
  const statements = stdout.replaceAll(/^\\.*$/gm, '')
  await writeFile(to('library.sql.gz'), gzipSync(statements, { level: 9 }))
  const now = new Date().toISOString()
  const kept = JSON.stringify({ now, token, calls, counts, told })
  const style = await resolveConfig(to('told.json'))
  await writeFile(to('told.json'), await format(kept, { ...style, parser: 'json' }))
} finally {
  await onPostgres(`drop database ${name} with (force)`)
  await rm(storage.dataDir, { recursive: true })
}
