import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

import { drawn, folderOf, makeMutants, type Mutant } from './make-mutants.ts'
import { openPlainTests } from './plain-tests.ts'
import { type Fate, seconds, tryMutants } from './try-mutants.ts'

type Line = Pick<Mutant, 'key' | 'file' | 'line' | 'kind' | 'before' | 'after'> & Fate
type How = { sample?: string; seed: string; survivors: boolean; resume: boolean }

const rooms = ['domain', 'offline', 'contract']

/** Says how many mutants of these folders and files no plain test kills, and which. */
export async function measure(
  asked: readonly string[],
  { sample, seed, survivors, resume }: How,
): Promise<void> {
  const started = Date.now()
  const places = asked.length > 0 ? asked : rooms
  const report = join('dist/mutants', places.join('+').replaceAll(/[^\w+-]/g, '-'))
  const { mutants, texts } = await makeMutants(places.flatMap(filesOf).toSorted())
  const before = survivors ? (JSON.parse(readFileSync(`${report}.json`, 'utf8')) as Line[]) : []
  const open = new Set(before.filter(isHeldByNone).map(({ key }) => key))
  const chosen = survivors
    ? mutants.filter(({ key }) => open.has(key))
    : sample === undefined
      ? mutants
      : drawn(mutants, Number(sample), seed)
  console.log(`${chosen.length} mutants of ${mutants.length}, Node ${process.versions.node}`)

  const tests = await openPlainTests(texts)
  mkdirSync('dist/mutants', { recursive: true })
  const known = resume ? (JSON.parse(readFileSync(`${report}.begun.json`, 'utf8')) as [string, Fate][]) : []
  const fates = await tryMutants(chosen, tests, {
    known: new Map(known),
    keep: (some) => {
      const begun = Array.from(some, ([{ key }, fate]) => [key, fate])
      writeFileSync(`${report}.begun.json`, JSON.stringify(begun))
    },
    tell: (line) => console.log(line),
  })
  await tests.close()

  const lines = [
    ...before.filter(({ key }) => !open.has(key)),
    ...Array.from(fates, ([{ key, file, line, kind, before: was, after }, fate]): Line => {
      return { key, file, line, kind, before: was, after, ...fate }
    }),
  ]
  const told = markdownOf(lines)
  writeFileSync(`${report}.json`, JSON.stringify(lines, null, 1))
  writeFileSync(`${report}.md`, told)
  console.log(`\n${told}\n${seconds(Date.now() - started)}; ${report}.md, ${report}.json`)
}

function filesOf(asked: string): string[] {
  const path = rooms.includes(asked) ? `src/${asked}` : asked.replace(/\/$/, '')
  const inside = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path]
  return inside
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
}

const isHeldByNone = ({ state }: Fate): boolean => state === 'survived' || state === 'uncovered'

const states = ['killed', 'endless', 'survived', 'uncovered'] as const
const head = ['', 'mutants', 'held', 'killed', 'without end', 'survived', 'no coverage']

function markdownOf(lines: readonly Line[]): string {
  const survivors = lines
    .filter(isHeldByNone)
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return [
    tableOf(lines, folderOf),
    tableOf(lines, (file) => file),
    `${survivors.length} that no test kills:`,
    survivors.map(told).join('\n'),
  ].join('\n\n')
}

/** Those with the most survivors first. */
function tableOf(lines: readonly Line[], nameOf: (file: string) => string): string {
  const rows = [...new Set(lines.map(({ file }) => nameOf(file)))].map((name) => {
    const some = lines.filter(({ file }) => nameOf(file) === name)
    const counts = states.map((state) => some.filter((one) => one.state === state).length)
    const open = some.filter(isHeldByNone).length
    const share = `${Math.round((100 * (some.length - open)) / some.length)} %`
    return { open, cells: [name, some.length, share, ...counts] }
  })
  const sorted = rows.toSorted((a, b) => b.open - a.open).map(({ cells }) => cells)
  return [head, head.map(() => '---'), ...sorted].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const told = ({ file, line, kind, before, after, state }: Line): string =>
  `- ${file}:${line} ${kind}${state === 'uncovered' ? ' (no coverage)' : ''}: \`${short(before)}\` → \`${short(after)}\``

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}
