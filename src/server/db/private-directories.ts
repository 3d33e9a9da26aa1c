import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Closes to other accounts of the machine what holds bases and images; earlier versions left some of it open. */
export async function closeDirectories(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names) {
    if (name === 'environments' || name.startsWith('environments-')) await chmod(join(dataDir, name), 0o700)
  }
  const environments = join(dataDir, 'environments')
  for (const id of await readdir(environments).catch(() => [])) {
    await chmod(join(environments, id, 'database'), 0o700).catch((error: unknown) => {
      // Beside a PostgreSQL database there are files alone.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }
}
