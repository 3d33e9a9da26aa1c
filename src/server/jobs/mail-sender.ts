import type { Logger } from 'pino'

import type { Environment } from '../db/environment.ts'
import { mailSenderOf } from '../mail/send-mails.ts'
import type { MailTransport } from '../mail/transport.ts'

export type MailSenderSettings = {
  environments: readonly Pick<Environment, 'id' | 'db'>[]
  transport: MailTransport
  logger: Logger
  now?: () => Date
  /** Milliseconds between two looks at the outbox. */
  pollEvery?: number
}

export type RunningMailSender = {
  /** Looks at the outbox now: for whoever just committed mails and does not want to wait for the next look. */
  wake(): void
  /** Ends after the mail that is leaving, or after `within` milliseconds; what was claimed and not sent leaves later. */
  stop(within?: number): Promise<void>
}

/** Sends mails in the background, each environment at its own pace. The transport stays its opener's to close, after `stop`. */
export function startMailSender(settings: MailSenderSettings): RunningMailSender {
  const { environments, transport, logger, now = () => new Date(), pollEvery = 5000 } = settings
  const stopping = new AbortController()
  const naps = new Set<() => void>()
  let wakes = 0

  const nap = (since: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        naps.delete(end)
        resolve()
      }
      const timer = setTimeout(end, pollEvery)
      naps.add(end)
      // Woken while it was sending: what was committed meanwhile may have been missed.
      if (wakes !== since || stopping.signal.aborted) end()
    })

  const sendForEver = async (environment: Pick<Environment, 'id' | 'db'>) => {
    const sender = mailSenderOf(environment, { transport, logger, now })
    while (!stopping.signal.aborted) {
      const since = wakes
      try {
        await sender.runOnce(stopping.signal)
      } catch (error) {
        logger.warn({ err: error, environment: environment.id }, 'outbox of mails out of reach')
      }
      await nap(since)
    }
  }
  const running = Promise.all(environments.map(sendForEver))

  const wake = () => {
    wakes += 1
    for (const end of naps) end()
  }
  return {
    wake,
    async stop(within = 5000) {
      stopping.abort()
      wake()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, within)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}
