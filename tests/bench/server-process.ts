import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { StorageSettings } from '../../src/server/db/environments/environment.ts'

/** The built product as a process of its own. Its log goes to a file, as it would in a library. */
export type ServerProcess = { address: string; port: number; pid: number; stop(): Promise<void> }

const entry = 'dist/server/main.js'
export const isBuilt = (): boolean => existsSync(entry)

/** Serves a storage that nobody else has open; `port` 0 is any. */
export async function startServer(
  { dataDir, databaseUrl }: StorageSettings,
  { port = 0, env = {} }: { port?: number; env?: Record<string, string> } = {},
): Promise<ServerProcess> {
  const logs = mkdtempSync(join(tmpdir(), 'comptoir-bench-log-'))
  const log = join(logs, 'log')
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(logs, { recursive: true, force: true })
  }
  for (;;) {
    const found = Number(/Comptoir est ouvert.*:(\d+)\s/.exec(readFileSync(log, 'utf8'))?.[1] ?? 0)
    if (found !== 0) return { address: `http://localhost:${found}`, port: found, pid: child.pid ?? 0, stop }
    if (child.exitCode !== null) {
      const said = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`the server ended with ${child.exitCode}: ${said}`)
    }
    await delay(50)
  }
}
