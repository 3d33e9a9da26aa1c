import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as v from 'valibot'

const engineAddress = v.object({
  host: v.string(),
  port: v.number(),
  user: v.string(),
  database: v.string(),
})
export type EngineAddress = v.InferOutput<typeof engineAddress>

const fileIn = (directory: string) => join(directory, 'address.json')

/**
 * Says in the data directory where its engine listens, to the owner of the directory alone: how a backup reaches the engine of a
 * server that runs. It is worth nothing as a lock: after a power cut the file is still there and nobody listens.
 */
export function publishEngineAddress(directory: string, address: EngineAddress): void {
  const unfinished = `${fileIn(directory)}.part`
  writeFileSync(unfinished, JSON.stringify(address), { mode: 0o600 })
  renameSync(unfinished, fileIn(directory))
}

/** Removes one's own address; another engine may have published its own since. */
export function withdrawEngineAddress(directory: string, { host, port }: EngineAddress): void {
  const published = readEngineAddress(directory)
  if (published?.host === host && published.port === port) rmSync(fileIn(directory), { force: true })
}

/** Where the directory's engine listened last; null when it was closed, or never opened. */
export function readEngineAddress(directory: string): EngineAddress | null {
  try {
    return v.parse(engineAddress, JSON.parse(readFileSync(fileIn(directory), 'utf8')))
  } catch {
    return null
  }
}
