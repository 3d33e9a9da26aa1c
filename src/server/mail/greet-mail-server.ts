import { createTransport } from 'nodemailer'

const patienceMs = 5_000
/** In all: a server that drips its greeting never runs out of patience. */
const mostMs = 10_000

/** Connects and hears the greeting, without signing in or sending: null where it went well, else what went wrong. */
export async function greetMailServer(smtpUrl: string): Promise<string | null> {
  const url = new URL(smtpUrl)
  url.username = ''
  url.password = ''
  const transport = createTransport({
    url: url.href,
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  try {
    await Promise.race([transport.verify(), tooLate()])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

const tooLate = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('ETIMEDOUT')), mostMs).unref()
  })
