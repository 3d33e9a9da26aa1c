import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const hour = 3_600_000
/** How long a file stays. A link ends after an hour; a mail that brings none may be looked at for a week. */
const stays = { link: hour, mail: 7 * 24 * hour }

const linkEnding = '.lien.eml'

/** The file of a mail: the name says whether it brings a link that opens an account. */
export const fileOfMail = (mail: { key: string; created_at: string; holds_link: boolean }): string =>
  `${mail.created_at.replace(/[:.]/g, '-')}-${mail.key}${mail.holds_link ? linkEnding : '.eml'}`

/** Removes mails that were written as files, sent or not, once they have stayed long enough. */
export async function sweepWrittenMails(directory: string, now: Date): Promise<void> {
  for (const path of await mailsIn(directory)) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
    // One that was cut in its writing has « .part » behind.
    const longest = path.includes(linkEnding) ? stays.link : stays.mail
    if (now.getTime() - mtimeMs > longest) await rm(path, { force: true })
  }
}

/** Mails that earlier versions left open to every account of the machine are their owner's. */
export async function tightenWrittenMails(directory: string): Promise<void> {
  const paths = await mailsIn(directory)
  if (paths.length > 0) await chmod(directory, 0o700)
  for (const path of paths) await chmod(path, 0o600)
}

async function mailsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter((name) => /\.eml(\.part)?$/.test(name)).map((name) => join(directory, name))
}
