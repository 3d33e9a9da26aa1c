import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '../error-code.ts'

/** Closes bases and images to other accounts of the machine; earlier versions left some open. */
export async function closeDirectories(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names) {
    if (name === 'environments' || name.startsWith('environments-')) await chmod(join(dataDir, name), 0o700)
  }
  const environments = join(dataDir, 'environments')
  for (const id of await readdir(environments).catch(() => [])) {
    await chmod(join(environments, id, 'database'), 0o700).catch((error: unknown) => {
      // With a PostgreSQL database there are only files here.
      if (codeOf(error) !== 'ENOENT') throw error
    })
  }
}
