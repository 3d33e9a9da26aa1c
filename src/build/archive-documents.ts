// What the archive's reader reads: documents lead only to what the archive has.
import { posix } from 'node:path'

/** Of what stands beside the program: what the administrator reads, and what the demonstration is made of. */
export const beside = [
  'README.md',
  'CHANGELOG.md',
  'package-lock.json',
  'docs/install',
  'docs/measurements.md',
  'docs/operate.md',
  'docs/rights.md',
  'docs/scaling.md',
  'docs/security.md',
  'src/server/demonstration/data',
]

/** Where the archive has it: the guide, as the pages that it serves with their pictures. */
const archived = (target: string): string =>
  target
    .replace(/^docs\/guide\/README\.md$/, 'dist/client/guide/index.html')
    .replace(/^docs\/guide\/pictures\//, 'dist/client/guide/pictures/')

/** A document at `path` as the archive has it, of which `isThere` says what it holds. */
export const asArchived = (path: string, text: string, isThere: (target: string) => boolean): string =>
  text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link: string, image: string, words: string, target: string, heading = '') => {
      const folder = posix.dirname(path)
      const leadsTo = posix.join(folder, target)
      const there = archived(leadsTo)
      if (!isThere(there)) return image ? '' : words
      return there === leadsTo ? link : `${image}[${words}](${posix.relative(folder, there)}${heading})`
    },
  )
