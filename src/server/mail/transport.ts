import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { createTransport } from 'nodemailer'
import sanitizeHtml from 'sanitize-html'

import type { Delivery, MailTransport, OutgoingMail } from '../http/mail-transport.ts'

type TransportSettings = {
  /** `smtp://` or `smtps://`; null writes each mail as a file. */
  smtpUrl: string | null
  /** `Name <address>`. */
  mailFrom: string | null
  /** For mails as files, readable by their owner alone. */
  directory: string
}

/** In milliseconds; the sender's claim on a mail lasts longer. */
export const longestSending = 120_000

/** Connects when there is something to send, and closes an idle connection. */
export function openTransport({ smtpUrl, mailFrom, directory }: TransportSettings): MailTransport {
  const from = mailFrom ?? 'Comptoir <comptoir@localhost>'
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  const messageOf = (mail: OutgoingMail) => ({
    from,
    // An object is one address whatever it holds, while a text would be read as a list.
    to: { name: '', address: mail.to_address },
    subject: mail.subject,
    html: mail.html,
    text: textOfHtml(mail.html),
    date: new Date(mail.created_at),
    messageId: `<${mail.key}@${domain}>`,
    // Out-of-office robots do not answer such mails (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return smtpUrl === null ? fileTransport(directory, messageOf) : smtpTransport(smtpUrl, messageOf)
}

type Message = {
  from: string
  to: { name: string; address: string }
  subject: string
  html: string
  text: string
  date: Date
  messageId: string
  headers: Record<string, string>
  disableFileAccess: boolean
  disableUrlAccess: boolean
}

function smtpTransport(url: string, messageOf: (mail: OutgoingMail) => Message): MailTransport {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    // The outbox tries a broken connection again, once it knows what became of the mail.
    maxRequeues: 0,
    idleTimeout: 10_000,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
  })
  return {
    isConnected: true,
    async send(mail) {
      try {
        await pool.sendMail({ ...messageOf(mail), signal: AbortSignal.timeout(longestSending) })
        return { ok: true, as: 'sent' }
      } catch (error) {
        return faultOf(error)
      }
    },
    close: () => pool.close({ force: true }),
  }
}

/** Only the server's word on this recipient or message counts against the mail. */
function faultOf(error: unknown): Delivery {
  const { code, command, responseCode } = errorFields(error)
  const said = error instanceof Error ? error.message : String(error)
  const message = said.startsWith('Reached maximum number of retries') ? 'connection closed' : said
  // The recipient's address is invalid in itself, which a wrong MAIL_FROM is not.
  if (code === 'EENVELOPE' && command === 'API' && /recipient/i.test(message)) {
    return {
      ok: false,
      fault: 'refused',
      about: 'address',
      message: `L’adresse n’est pas valable (${message}).`,
    }
  }
  const isOfThisMail =
    (command === 'RCPT TO' || command === 'DATA') && responseCode >= 400 && responseCode !== 421
  if (!isOfThisMail) {
    return {
      ok: false,
      fault: 'unreachable',
      message: `Le serveur de messagerie ne prend pas de courriel (${message}).`,
    }
  }
  return {
    ok: false,
    fault: responseCode >= 500 ? 'refused' : 'later',
    about: command === 'RCPT TO' ? 'address' : 'message',
    message: `Refus du serveur de messagerie (${message}).`,
  }
}

function errorFields(error: unknown): { code: string; command: string; responseCode: number } {
  const read = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  return {
    code: String(read('code')),
    command: String(read('command')),
    responseCode: Number(read('responseCode')) || 0,
  }
}

function fileTransport(directory: string, messageOf: (mail: OutgoingMail) => Message): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    isConnected: false,
    async send(mail) {
      try {
        const { message } = await composer.sendMail(messageOf(mail))
        await mkdir(directory, { recursive: true, mode: 0o700 })
        const path = join(directory, fileOfMail(mail))
        // Nobody who watches the directory sees half a mail.
        const file = await open(`${path}.part`, 'w', 0o600)
        try {
          await file.writeFile(message as Buffer)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(`${path}.part`, path)
        return { ok: true, as: 'written' }
      } catch (error) {
        return {
          ok: false,
          fault: 'unreachable',
          message: `Le courriel n’a pas pu être écrit (${String(error)}).`,
        }
      }
    },
    close: () => composer.close(),
  }
}

/** The plain text beside a mail's HTML, which must come from render-template.ts. */
export function textOfHtml(html: string): string {
  const marked = html
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (_, href: string, text: string) =>
      href === text ? text : `${text} (${href})`,
    )
    .replace(/<li>/g, '\n- ')
    .replace(/<br \/>|<\/(?:p|div|ul|ol|tr|table|h[1-4]|blockquote)>/g, '\n')
  return (
    sanitizeHtml(marked, { allowedTags: [], allowedAttributes: {} })
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      // Line by line: a pattern for what ends them takes the square of a long run of spaces.
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

const hour = 3_600_000
/** A link lives an hour, while other mails may be looked at for a week. */
const stays = { link: hour, mail: 7 * 24 * hour }

const linkEnding = '.lien.eml'

const fileOfMail = (mail: { key: string; created_at: string; holds_link: boolean }): string =>
  `${mail.created_at.replace(/[:.]/g, '-')}-${mail.key}${mail.holds_link ? linkEnding : '.eml'}`

export async function sweepWrittenMails(directory: string, now: Date): Promise<void> {
  for (const path of await mailsIn(directory)) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
    // A mail that was cut short ends with « .part ».
    const longest = path.includes(linkEnding) ? stays.link : stays.mail
    if (now.getTime() - mtimeMs > longest) await rm(path, { force: true })
  }
}

/** Earlier versions left mails open to every account of the machine. */
export async function tightenWrittenMails(directory: string): Promise<void> {
  const paths = await mailsIn(directory)
  if (paths.length > 0) await chmod(directory, 0o700)
  for (const path of paths) await chmod(path, 0o600)
}

async function mailsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => /\.eml(\.part)?$/.test(name)).map((name) => join(directory, name))
}
