import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { type StartEngine, startEmbeddedEngine } from './embedded-engine.ts'

/** Opens the engine of the only library of a directory before it is asked for; answers what hands it over, once. */
export function startedAhead(dataDir: string): StartEngine {
  const place = onlyDatabase(dataDir)
  if (place === null) return startEmbeddedEngine
  type Tell = NonNullable<NonNullable<Parameters<StartEngine>[1]>['onEvent']>
  const untold: Parameters<Tell>[0][] = []
  let tell: Tell = (event) => untold.push(event)
  const begun = startEmbeddedEngine(place, { onEvent: (event) => tell(event) })
  // Whoever asks for it is told.
  begun.catch(() => undefined)
  let isTaken = false
  return (directory, options = {}) => {
    if (isTaken || resolve(directory) !== resolve(place)) return startEmbeddedEngine(directory, options)
    isTaken = true
    tell = options.onEvent ?? (() => undefined)
    untold.forEach(tell)
    return begun
  }
}

function onlyDatabase(dataDir: string): string | null {
  const environments = join(dataDir, 'environments')
  const [name, ...others] = namesIn(environments).filter((entry) => /^[1-9]\d*$/.test(entry))
  const place = join(environments, name ?? '', 'database')
  return name !== undefined && others.length === 0 && existsSync(join(place, 'postgres')) ? place : null
}

/** What keeps it from being read is said when it is opened. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
