import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

// What the first route (sign-in, then home) loads before anything else, compressed (docs: interface budget).
const budget = { js: 212 * 1024, css: 20 * 1024 }
const firstScreens = ['src/client/session/login-screen.tsx', 'src/client/home/home-screen.tsx']

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean; src?: string }

const directory = 'dist/client'
const manifest = JSON.parse(readFileSync('dist/client-manifest.json', 'utf8')) as Record<string, Chunk>

function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (!chunk || seen.has(key)) return seen
  seen.add(key)
  for (const imported of chunk.imports ?? []) filesOf(imported, seen)
  return seen
}

let isOver = false
const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
if (!entry) throw new Error('the build has no entry')
for (const screen of firstScreens) {
  const keys = new Set([...filesOf(entry), ...filesOf(screen)])
  const chunks = [...keys].flatMap((key) => manifest[key] ?? [])
  const sizeOf = (files: string[]) =>
    [...new Set(files)].reduce(
      (sum, file) => sum + brotliCompressSync(readFileSync(join(directory, file))).length,
      0,
    )
  const js = sizeOf(chunks.map(({ file }) => file).filter((file) => file.endsWith('.js')))
  const css = sizeOf(chunks.flatMap((chunk) => chunk.css ?? []))
  isOver ||= js > budget.js || css > budget.css
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  process.stdout.write(
    `${screen}: JavaScript ${kib(js)} of ${kib(budget.js)}, CSS ${kib(css)} of ${kib(budget.css)} (brotli)\n`,
  )
}
if (isOver) {
  process.stdout.write('The first route is over its budget.\n')
  process.exitCode = 1
}
