import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import { syncDirectory } from '../db/engine/durable-file-system.ts'
import { type BackupLine, formatVersion } from './backup-format.ts'
import { newSeal, sealing } from './sealed-file.ts'

export type BackupWriter = {
  line(line: BackupLine): Promise<void>
  /** Rows of the table opened last, or pieces of the file, each a JSON array on one line. */
  rows(rows: readonly string[]): Promise<void>
}

/** Level 3 halves the default's time and costs a tenth more room. */
const compression = 3

/** Writes and syncs a backup under a temporary name, so that a failure leaves the former one as it was. */
export async function writeBackupFile(
  path: string,
  passphrase: string | null,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<void> {
  const seal = passphrase === null ? null : await newSeal(passphrase)
  // In two containers, two processes have one number.
  const unfinished = `${path}.${randomUUID()}.part`
  const gzip = createGzip({ level: compression })
  const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
  const written = seal ? pipeline(gzip, sealing(seal), file) : pipeline(gzip, file)
  written.catch(() => undefined)
  const hash = createHash('sha256')
  let lines = 0

  const write = async (text: string, count: number) => {
    lines += count
    hash.update(text)
    // When the disk fails, the pipeline ends and no drain ever comes.
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written])
  }
  const line = (entry: BackupLine) => write(`${JSON.stringify(entry)}\n`, 1)
  try {
    await line({ comptoir: formatVersion, made_at: new Date().toISOString() })
    await fill({
      line,
      rows: (rows) => (rows.length === 0 ? Promise.resolve() : write(`${rows.join('\n')}\n`, rows.length)),
    })
    gzip.end(`${JSON.stringify({ end: lines, sha256: hash.digest('hex') } satisfies BackupLine)}\n`)
    await written
    await rename(unfinished, path)
    syncDirectory(dirname(path))
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
}
