import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type InstalledPackage = {
  name: string
  version: string
  /** As its package.json says it, an SPDX expression. */
  licence: string
  author: string
  /** Its own files of licence and notice, one after the other; empty where it brings none. */
  text: string
  folder: string
  /** Names of the packages that it runs with. */
  needs: readonly string[]
}

type Manifest = {
  name?: string
  version?: string
  license?: string | { type?: string }
  author?: string | { name?: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** The package that a file lies in; null for one of ours. */
export function packageOfFile(path: string): InstalledPackage | null {
  const file = path.replace(/^\0+/, '').replace(/\?.*$/, '')
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  return folder === undefined ? null : readPackage(folder)
}

/** The package that an import of this name finds from a folder; null where it is not installed. */
export function findPackage(name: string, from: string): InstalledPackage | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return readPackage(candidate)
    if (folder === dirname(folder)) return null
  }
}

function readPackage(folder: string): InstalledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license, author } = manifest
  if (name === undefined || version === undefined) throw new Error(`${folder} has no name or no version`)
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([-.]|$)/i.test(file))
    .sort()
  return {
    name,
    version,
    licence: (typeof license === 'object' ? license.type : license) ?? '',
    author: (typeof author === 'object' ? author.name : author) ?? '',
    text: files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n'),
    folder,
    needs: [
      ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
      // Those that it merely gets along with are not its own.
      ...Object.keys(manifest.peerDependencies ?? {}).filter(
        (peer) => !manifest.peerDependenciesMeta?.[peer]?.optional,
      ),
    ],
  }
}

/** Packages and all they need, each folder once, by name; optional ones only where installed. */
export function withAllTheyNeed(packages: Iterable<InstalledPackage>): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>()
  const add = (one: InstalledPackage) => {
    if (found.has(one.folder)) return
    found.set(one.folder, one)
    for (const name of one.needs) {
      const needed = findPackage(name, one.folder)
      if (needed) add(needed)
    }
  }
  for (const one of packages) add(one)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
