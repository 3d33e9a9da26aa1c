import pino from 'pino'

import { readConfiguration } from '../../src/server/process/configuration.ts'
import { openEnvironments } from '../../src/server/db/environments/environment.ts'
import type { ChangePhase } from '../../src/server/http/run-change.ts'
import type { SendingPhase } from '../../src/server/mail/send-mails.ts'
import { serve } from '../../src/server/serve.ts'

// The product's server, which when told to dies around a commit, or lets its database die.

/** Sent by the test: kill the victim at the next such phase of such a call (of any call, without a name). */
export type KillAt = { phase: ChangePhase | SendingPhase; endpoint?: string; victim: 'server' | 'engine' }

const configuration = readConfiguration(process.env)
const environments = await openEnvironments(configuration)
let killAt: KillAt | null = null
process.on('message', (message: KillAt) => {
  killAt = message
  process.send?.('heard')
})
const strike = (phase: KillAt['phase'], endpoint?: string) => {
  if (killAt?.phase !== phase || (killAt.endpoint ?? endpoint) !== endpoint) return
  const victim = killAt.victim === 'engine' ? environments[0]?.engine?.pid : process.pid
  killAt = null
  if (victim !== undefined) process.kill(victim, 'SIGKILL')
}
const service = await serve({
  configuration,
  environments,
  logger: pino({ level: 'silent' }),
  onPhase: strike,
  onMail: (phase) => strike(phase),
})
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
process.stdout.write(`Comptoir est ouvert : ${service.port}\n`)
