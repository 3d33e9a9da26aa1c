import type { Logger } from 'pino'

import type { Environment } from '../db/environments/environment.ts'
import { linkBase } from '../http/link-base.ts'
import { type MailSender, mailSenderOf, type SendingPhase } from './send-mails.ts'
import type { MailTransport } from '../http/mail-transport.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'

type MailSenderSettings = {
  environments: LoopSettings['environments']
  transport: MailTransport
  logger: Logger
  now?: () => Date
  publicUrl?: string
  onPhase?: (phase: SendingPhase) => void
  /** In milliseconds. */
  pollEvery?: number
}

export function startMailSender({
  environments,
  transport,
  logger,
  now = () => new Date(),
  publicUrl,
  onPhase,
  ...how
}: MailSenderSettings): BackgroundLoop {
  const senders = new WeakMap<Environment, MailSender>()
  return startLoop({
    ...how,
    environments,
    logger,
    outOfReach: 'outbox of mails out of reach',
    look: async (environment, stopping) => {
      const sender =
        senders.get(environment) ??
        mailSenderOf(environment, {
          transport,
          logger,
          now,
          ...(publicUrl === undefined ? {} : { publicUrl: linkBase(publicUrl, environment.hosts) }),
          ...(onPhase ? { onPhase } : {}),
        })
      senders.set(environment, sender)
      await sender.runOnce(stopping)
    },
  })
}
