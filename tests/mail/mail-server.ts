import type { AddressInfo } from 'node:net'

import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Answer = { responseCode: number; message: string } | null

/** A real SMTP server on loopback that keeps what it is sent and refuses what the test tells it to. */
export type MailServer = {
  /** Its address, the same after a stop and a start. */
  readonly url: string
  readonly received: Email[]
  /** What it answers to a recipient; null takes it. */
  onRecipient: (address: string) => Answer
  /** What it answers once it has the whole message; null takes it. */
  onMessage: () => Answer
  /** Resolves when that many mails have arrived since the start. */
  arrived(count: number): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  let smtp: SMTPServer | null = null
  let port = 0
  const waiting: { count: number; resolve: () => void }[] = []
  const mails: MailServer = {
    get url() {
      return `smtp://127.0.0.1:${port}`
    },
    received: [],
    onRecipient: () => null,
    onMessage: () => null,
    arrived: (count) =>
      new Promise((resolve) => {
        if (mails.received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    start: async () => {
      smtp = listen()
      await new Promise<void>((resolve) => {
        smtp?.listen(port, '127.0.0.1', resolve)
      })
      port = (smtp.server.address() as AddressInfo).port
    },
    stop: async () => {
      const stopped = smtp
      smtp = null
      if (stopped) await new Promise<void>((resolve) => stopped.close(resolve))
    },
  }
  const keep = async (message: Buffer, accepted: () => void) => {
    mails.received.push(await PostalMime.parse(message))
    accepted()
    for (const { count, resolve } of waiting) if (mails.received.length >= count) resolve()
  }
  const listen = () => {
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, callback) => callback(errorOf(mails.onRecipient(address))),
      onData: (stream, _session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const refusal = errorOf(mails.onMessage())
          if (refusal) {
            callback(refusal)
            return
          }
          void keep(Buffer.concat(chunks), callback)
        })
      },
    })
    // Clients that leave are no fault of the test.
    server.on('error', () => undefined)
    return server
  }
  await mails.start()
  return mails
}

const errorOf = (answer: Answer): Error | null =>
  answer && Object.assign(new Error(answer.message), { responseCode: answer.responseCode })
