import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { closeDirectories } from '../../src/server/db/environments/environment.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'comptoir-data-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

it.skipIf(process.platform === 'win32')(
  'closeDirectories closes bases and images to other accounts, and what a restore kept',
  async () => {
    const open = [
      'environments/1/database',
      'environments/2/images',
      'environments-before-2026/1/database',
      'autre',
    ]
    for (const path of open) await mkdir(join(dataDir, path), { recursive: true })
    const places = ['environments', 'environments/1/database', 'environments-before-2026']
    for (const path of [...places, 'autre']) await chmod(join(dataDir, path), 0o755)
    await closeDirectories(dataDir)
    const modes = await Promise.all(
      places.map(async (path) => (await stat(join(dataDir, path))).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o700, 0o700])
    expect((await stat(join(dataDir, 'autre'))).mode & 0o777).toBe(0o755)
  },
)
