import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The built product on a PostgreSQL database, as a process of its own. Its log goes to a file, as it would in a library. */
export type ServerProcess = { port: number; pid: number; stop(): Promise<void> }

const entry = 'dist/server/main.js'
export const isBuilt = (): boolean => existsSync(entry)

export async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'comptoir-bench-server-'))
  const log = join(dataDir, 'log')
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (;;) {
    const port = /Comptoir est ouvert.*:(\d+)\s/.exec(readFileSync(log, 'utf8'))?.[1]
    if (port !== undefined) return { port: Number(port), pid: child.pid ?? 0, stop }
    if (child.exitCode !== null) {
      const said = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`the server ended with ${child.exitCode}: ${said}`)
    }
    await delay(50)
  }
}
