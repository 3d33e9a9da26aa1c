import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Plugin } from 'vite'

import { embeddedWorks, readAtRunTime } from './embedded-works.ts'
import { findPackage, type InstalledPackage, packageOfFile, withAllTheyNeed } from './installed-package.ts'

/** Licences that may stand for their text, where a package brings none. */
const knownLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'PostgreSQL',
  'Unlicense',
])

/** Gathers the packages of one run's builds, workers included, and writes their licences. */
export function licenceNotices(file: string): { gather(): Plugin; write(): Plugin } {
  const found = new Map<string, InstalledPackage>()
  const gather = (): Plugin => ({
    name: 'licence-notices-gather',
    apply: 'build',
    generateBundle(_options, bundle) {
      // The graph holds styles and binaries too, which no chunk names.
      for (const id of this.getModuleIds()) note(packageOfFile(id))
      const imported = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? [...one.imports, ...one.dynamicImports] : [],
      )
      // What the server imports at run time and all it needs; development's tools do not ship.
      const external = [
        ...imported.flatMap((id) => packageNameOf(id) ?? []).filter((name) => shipped().has(name)),
        ...(imported.includes('pdfkit') ? readAtRunTime : []),
      ]
      for (const one of withAllTheyNeed(external.flatMap((name) => findPackage(name, process.cwd()) ?? [])))
        note(one)
    },
  })
  const note = (one: InstalledPackage | null) => {
    if (one) found.set(`${one.name}@${one.version}`, one)
  }
  const write = (): Plugin => ({
    name: 'licence-notices-write',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, noticesOf([...found.values()]))
      },
    },
  })
  return { gather, write }
}

let dependencies: ReadonlySet<string> | undefined
const shipped = () =>
  (dependencies ??= new Set(
    Object.keys(
      (JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as { dependencies: object })
        .dependencies,
    ),
  ))

/** The package of a bare import; null for a file and for what Node brings. */
const packageNameOf = (id: string): string | null =>
  id.startsWith('node:') ? null : (/^((?:@[^/]+\/)?[^./@][^/]*)/.exec(id)?.[1] ?? null)

/** The notices as they are read. Throws where a package says nothing of its licence. */
export function noticesOf(packages: readonly InstalledPackage[]): string {
  const silent = packages.filter(({ text, licence }) => text === '' && !isKnown(licence))
  if (silent.length > 0) throw new Error(`no licence known of ${silent.map(({ name }) => name).join(', ')}`)
  const notices = packages
    .flatMap((one) => [
      { title: `${one.name} ${one.version}`, licence: one.licence, text: one.text || nameOfAuthor(one) },
      ...(embeddedWorks[one.name] ?? []).map(({ name, licence, text }) => ({
        title: `${name} (dans ${one.name} ${one.version})`,
        licence,
        text,
      })),
    ])
    .sort((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, licence, text }) => `${title}\nLicence\u00a0: ${licence || 'voir le texte'}\n\n${text}\n`)
  return [introduction, ...notices].join(`\n${'='.repeat(78)}\n\n`)
}

/** « (MIT OR Apache-2.0) » is known where one of them is. */
const isKnown = (licence: string) => licence.split(/[\s()]+/).some((word) => knownLicences.has(word))

const nameOfAuthor = ({ author, licence }: InstalledPackage) =>
  [author && `© ${author}`, `Texte\u00a0: https://spdx.org/licenses/${licence}.html`]
    .filter(Boolean)
    .join('\n')

const introduction = `Comptoir est fait avec les logiciels libres qui suivent. Merci à leurs auteurs.
`
