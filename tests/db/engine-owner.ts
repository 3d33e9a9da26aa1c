// A server that is about to die: opens the engine on the directory it is given and says how to reach it.
import { startEmbeddedEngine } from '../../src/server/db/engine/embedded-engine.ts'

const engine = await startEmbeddedEngine(process.argv[2] ?? '')
process.send?.({ connection: engine.connection, pid: engine.pid })
