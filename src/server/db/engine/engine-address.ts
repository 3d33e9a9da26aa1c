import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as v from 'valibot'

const engineAddress = v.object({
  host: v.string(),
  port: v.number(),
  user: v.string(),
  database: v.string(),
})
type EngineAddress = v.InferOutput<typeof engineAddress>

const fileIn = (directory: string) => join(directory, 'address.json')

/** Tells a backup where the engine of a running server listens; no lock, for it outlives a power cut. */
export function publishEngineAddress(directory: string, address: EngineAddress): void {
  const unfinished = `${fileIn(directory)}.part`
  writeFileSync(unfinished, JSON.stringify(address), { mode: 0o600 })
  renameSync(unfinished, fileIn(directory))
}

export function withdrawEngineAddress(directory: string, { host, port }: EngineAddress): void {
  const published = readEngineAddress(directory)
  if (published?.host === host && published.port === port) rmSync(fileIn(directory), { force: true })
}

/** Where the directory's engine listened last; null when it was closed or never opened. */
export function readEngineAddress(directory: string): EngineAddress | null {
  try {
    return v.parse(engineAddress, JSON.parse(readFileSync(fileIn(directory), 'utf8')))
  } catch {
    return null
  }
}
