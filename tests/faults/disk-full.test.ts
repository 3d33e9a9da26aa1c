import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, open, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedFromTemplate } from '../support/databases.ts'
import { askUntil, deskAt, runProduct, startProduct } from './product.ts'

const isRoot = process.getuid?.() === 0
/** Another disk, small, that may be filled or made read-only: only where this user may mount one. */
const mayMount = isRoot && process.platform === 'linux' && canMount()
if (!mayMount) process.stdout.write('disk-full: no right to mount a small disk, its tests are not run\n')

function canMount(): boolean {
  try {
    const arguments_ = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tmpdir()]
    execFileSync('unshare', ['-m', 'mount', ...arguments_], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'comptoir-disk-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe('a data directory that cannot be written', () => {
  it.skipIf(process.platform === 'win32')(
    'is told to the terminal by its name, when the account may not',
    async () => {
      const dataDir = join(home, 'closed')
      await mkdir(dataDir)
      await chmod(dataDir, 0o555)
      // Root may write everywhere: somebody else is asked.
      await chmod(home, 0o755)
      const { code, said } = await runProduct({ DATA_DIR: dataDir }, isRoot ? { uid: 65_534 } : {})
      expect(said).toContain(
        `Le répertoire de données «\u202f${dataDir}\u202f» ne peut pas être écrit par ce compte`,
      )
      expect(said).not.toContain(' at ')
      expect(code).toBe(1)
      expect(await readdir(dataDir)).toEqual([])
    },
  )

  it('is told when it is a file', async () => {
    const dataDir = join(home, 'file')
    await writeFile(dataDir, '')
    const { code, said } = await runProduct({ DATA_DIR: dataDir })
    expect(said).toContain(`«\u202f${dataDir}\u202f» n’est pas un répertoire`)
    expect(code).toBe(1)
  })
})

describe.skipIf(!mayMount)('a disk of its own', () => {
  let disk: string
  afterEach(() => {
    execFileSync('umount', ['-l', disk])
  })
  const mount = async (size: string) => {
    disk = await mkdtemp(join(home, 'disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  }
  /** Leaves so many bytes free; answers what frees the rest. */
  const fill = async (left: number) => {
    const { bavail, bsize } = await statfs(disk)
    const filler = await open(join(disk, 'filler'), 'w')
    const piece = Buffer.alloc(bsize)
    for (let room = bavail * bsize - left; room > 0; room -= bsize) await filler.write(piece)
    await filler.close()
    return () => rm(join(disk, 'filler'))
  }

  it('that is read-only is told to the terminal, and nothing is begun', async () => {
    await mount('1m')
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const { code, said } = await runProduct({ DATA_DIR: disk })
    expect(said).toContain(`Le répertoire de données «\u202f${disk}\u202f» est en lecture seule`)
    expect(said).not.toContain(' at ')
    expect(code).toBe(1)
    expect(await readdir(disk)).toEqual([])
  })

  it('that is too full for a first start is told, and serves once there is room', async () => {
    await mount('160m')
    const free = await fill(8_000_000)
    const { code, said } = await runProduct({ DATA_DIR: disk })
    expect(said).toContain(`Le disque du répertoire de données «\u202f${disk}\u202f» est plein`)
    expect(code).toBe(1)
    await free()
    const product = await startProduct({ DATA_DIR: disk })
    expect(await product.end('SIGTERM')).toBe(0)
  })

  it('that fills up while it serves loses nothing it acknowledged', async () => {
    await mount('160m')
    seedFromTemplate(disk)
    const environment = await openEnvironment({ dataDir: disk, databaseUrl: null }, 1)
    await sql`update media set max_loaning = null, max_late = null`.execute(environment.db)
    await sql`insert into copies (reference, bar_code, site) select 1, 'X' || n, 1 from generate_series(1, 20000) n`.execute(
      environment.db,
    )
    await environment.close()
    const product = await startProduct({ DATA_DIR: disk })
    const desk = await deskAt(product.address)
    const asked: { key: string; copy: number; status: number; id: number | undefined }[] = []
    let copy = 15
    const lend = async () => {
      copy += 1
      const key = randomUUID()
      const reply = await desk.lend(key, 1 + (copy % 3 === 0 ? 1 : 0), copy)
      asked.push({ key, copy, status: reply.status, id: reply.body.id })
      return reply
    }
    for (let n = 0; n < 10; n += 1) expect((await lend()).status).toBe(201)

    const free = await fill(300_000)
    const refused = await askUntil(lend, ({ status }) => status !== 201)
    const sentence = 'Le disque du serveur est plein\u202f: rien n’a été enregistré.'
    expect([refused.status, refused.body.message?.slice(0, sentence.length)]).toEqual([507, sentence])
    // As long as it is full, an answer says so; none is a bare failure.
    for (let n = 0; n < 20; n += 1) {
      const { status } = await lend()
      expect([201, 507]).toContain(status)
    }

    await free()
    await askUntil(
      () => desk.get('/health'),
      ({ status }) => status === 200,
    )
    for (const { key, copy: lent, status, id } of asked) {
      const again = await desk.lend(key, 1 + (lent % 3 === 0 ? 1 : 0), lent)
      expect(again.status).toBe(201)
      if (status === 201) expect(again.body.id).toBe(id)
    }
    expect(await product.end('SIGTERM')).toBe(0)

    const after = await openEnvironment({ dataDir: disk, databaseUrl: null }, 1)
    const { rows } = await sql<{ loans: number; copies: number }>`
      select count(*) as loans, count(distinct copy) as copies from loanings`.execute(after.db)
    await after.close()
    expect(rows).toEqual([{ loans: asked.length, copies: asked.length }])
  })
})
