// `npm run release` makes release/comptoir-<version>.tar.gz of what is built: all that runs with Node alone, and nothing else.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'

import { byteSize } from '../domain/byte-size.ts'
import { asArchived, beside } from './archive-documents.ts'
import { readAtRunTime } from './embedded-works.ts'
import { findPackage, withAllTheyNeed } from './installed-package.ts'
import { filesOfLastBuild } from './put-in-place.ts'

type Manifest = { version: string; scripts: Record<string, string>; dependencies: Record<string, string> }

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const name = `comptoir-${manifest.version}`
const place = join('release', name)
const archive = `${place}.tar.gz`

/** What only who works on a package reads. */
const isForReaders = (path: string) => /\.(map|d\.[cm]?ts)$/.test(path)

rmSync(place, { recursive: true, force: true })
for (const [folder, entry] of [
  ['dist/client', 'index.html'],
  ['dist/server', 'main.js'],
] as const) {
  for (const file of filesOfLastBuild(folder, entry)) {
    if (!isForReaders(file)) copy(join(folder, file))
  }
}
for (const path of beside) copy(path)
for (const folder of packageFolders())
  copy(folder, (path) => basename(path) !== 'node_modules' && !isForReaders(path))
for (const path of documents()) {
  const text = readFileSync(join(place, path), 'utf8')
  const archived = asArchived(path, text, (target) => existsSync(join(place, target)))
  if (archived !== text) writeFileSync(join(place, path), archived)
}
const scripts = Object.fromEntries(
  Object.entries(manifest.scripts).filter(([, command]) => command.startsWith('node dist/server/')),
)
writeFileSync(join(place, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`)

// Whoever unpacks it as root owns it, and the account that serves reads it.
const readable = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w']
execFileSync('tar', [...readable, '-czf', archive, '-C', 'release', name], { stdio: 'inherit' })
rmSync(place, { recursive: true })
process.stdout.write(`${archive} (${byteSize(statSync(archive).size)})\n`)

function copy(path: string, isWanted: (path: string) => boolean = () => true): void {
  const target = join(place, path)
  mkdirSync(join(target, '..'), { recursive: true })
  cpSync(path, target, {
    recursive: true,
    preserveTimestamps: true,
    // A package's own folder may lie within another's.
    filter: (source) => source === path || isWanted(source),
  })
}

function documents(): string[] {
  return beside
    .flatMap((path) =>
      statSync(join(place, path)).isDirectory()
        ? readdirSync(join(place, path), { recursive: true, encoding: 'utf8' }).map((name) =>
            join(path, name),
          )
        : [path],
    )
    .filter((path) => path.endsWith('.md'))
}

function packageFolders(): string[] {
  const wanted = [...Object.keys(manifest.dependencies), ...readAtRunTime]
  const packages = wanted.flatMap((one) => findPackage(one, process.cwd()) ?? [])
  return [...new Set(withAllTheyNeed(packages).map(({ folder }) => relative(process.cwd(), folder)))]
}
