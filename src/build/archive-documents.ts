// What the archive's reader reads: documents lead only to what the archive has.
import { posix } from 'node:path'

/** Of what stands beside the program: what the administrator reads, and what the demonstration is made of. */
export const beside = [
  'README.md',
  'CHANGELOG.md',
  'package-lock.json',
  'docs/install',
  'docs/measurements.md',
  'docs/pictures',
  'docs/rights.md',
  'docs/scaling.md',
  'docs/security.md',
  'src/server/demonstration/data',
]

/** What the archive has under another name: the guide, as the pages that it serves. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/guide/README.md': 'dist/client/guide/index.html',
}

/** A document at `path` as the archive has it, of which `isThere` says what it holds. */
export const asArchived = (path: string, text: string, isThere: (target: string) => boolean): string =>
  withoutDeveloping(text).replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link: string, image: string, words: string, target: string, heading = '') => {
      const folder = posix.dirname(path)
      const leadsTo = posix.join(folder, target)
      const there = elsewhere[leadsTo] ?? leadsTo
      if (!isThere(there)) return image ? '' : words
      return there === leadsTo ? link : `[${words}](${posix.relative(folder, there)}${heading})`
    },
  )

const withoutDeveloping = (text: string) =>
  text.replace(
    /^(## Développer, à partir des sources\n\nL.archive n.a ni les essais, ni ce qui construit)\b[^]*?(?=^## )/m,
    '$1.\n\n',
  )
