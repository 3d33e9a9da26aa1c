// The embedded engine opens while this process reads the rest of its code, which takes as long.
import { startEmbeddedEngine } from './db/engine/embedded-engine.ts'
import { startedAhead } from './db/engine/engine-ahead.ts'
import { dataDirectoryOf } from './process/data-directory.ts'
import { wrongArguments } from './said-at-start.ts'

const isDemonstration = process.argv.includes('--demo')
const isEmbedded = isDemonstration || !process.env['DATABASE_URL']?.trim()
const startEngine =
  isEmbedded && wrongArguments(process.argv.slice(2)) === null
    ? startedAhead(dataDirectoryOf(process.env, isDemonstration))
    : startEmbeddedEngine
const { startServer } = await import('./start-server.ts')
await startServer({ isDemonstration, startEngine })
