import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

// What sign-in and the counter load before they can be used, as it travels (docs/measurements.md, « Size »).
const budget = { js: 196 * 1024, css: 20 * 1024 }
const frame = 'src/client/app/signed-in-frame.tsx'
const firstScreens: [name: string, modules: string[]][] = [
  ['sign-in', ['src/client/session/login-screen.tsx']],
  ['counter', [frame, 'src/client/home/home-screen.tsx']],
]

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean; src?: string }

const directory = 'dist/client'
const manifest = JSON.parse(readFileSync('dist/client-manifest.json', 'utf8')) as Record<string, Chunk>
const fileOf = JSON.parse(readFileSync('dist/client-modules.json', 'utf8')) as Record<string, string>
const keys = Object.keys(manifest)

function keyOf(module: string): string {
  const key = keys.find((one) => manifest[one]?.file === fileOf[module])
  if (key === undefined) throw new Error(`the build has no ${module}`)
  return key
}

function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (!chunk || seen.has(key)) return seen
  seen.add(key)
  for (const imported of chunk.imports ?? []) filesOf(imported, seen)
  return seen
}

const brotli = (file: string) => brotliCompressSync(readFileSync(join(directory, file))).length
const gzip = (file: string) => gzipSync(readFileSync(join(directory, file)), { level: 9 }).length
const sum = (files: readonly string[], sizeOf: (file: string) => number) =>
  files.reduce((size, file) => size + sizeOf(file), 0)
const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`

let isOver = false
const entry = keys.find((key) => manifest[key]?.isEntry)
if (!entry) throw new Error('the build has no entry')
for (const [name, modules] of firstScreens) {
  const seen = new Set([entry, ...modules.map(keyOf)].flatMap((key) => [...filesOf(key)]))
  const chunks = [...seen].flatMap((key) => manifest[key] ?? [])
  const js = [...new Set(chunks.map(({ file }) => file))].filter((file) => file.endsWith('.js'))
  const css = [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))]
  isOver ||= sum(js, brotli) > budget.js || sum(css, brotli) > budget.css
  const said = [
    `JavaScript ${kib(sum(js, brotli))} of ${kib(budget.js)}, CSS ${kib(sum(css, brotli))} of ${kib(budget.css)} (brotli)`,
    `${kib(sum(js, gzip))} and ${kib(sum(css, gzip))} (gzip)`,
    `${js.length + css.length} files`,
  ]
  process.stdout.write(`${name}: ${said.join('; ')}\n`)
}
if (isOver) {
  process.stdout.write('What is loaded first is over its budget.\n')
  process.exitCode = 1
}
