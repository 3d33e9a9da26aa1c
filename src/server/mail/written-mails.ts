import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const hour = 3_600_000
/** A link lives an hour, while other mails may be looked at for a week. */
const stays = { link: hour, mail: 7 * 24 * hour }

const linkEnding = '.lien.eml'

export const fileOfMail = (mail: { key: string; created_at: string; holds_link: boolean }): string =>
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
