import { readFileSync } from 'node:fs'

import { overlap, type Mutant } from './make-mutants.ts'
import type { PlainTests, Run } from './plain-tests.ts'

export type Fate =
  { state: 'killed' | 'timeout'; by: string } | { state: 'survived'; tried: number } | { state: 'uncovered' }

/** So many are switched on together where each alone would cost a run of dozens of files. */
const together = 40
/** What may be run for one mutant alone, in milliseconds. */
const cheap = 6000
/** Starting a worker and reading a file’s modules, once its tests are known to take no time. */
const perFile = 1000

/**
 * Says which test kills each mutant. A file of tests is run against a mutant only if it goes through it: first,
 * alone, the files that import the mutated file themselves; then, where many more files go through it (what runs
 * as a module loads), with others switched on at once, and whichever file fails is run again with half of them.
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  tests: PlainTests,
  tell: (line: string) => void,
): Promise<Map<Mutant, Fate>> {
  const started = Date.now()
  const base = await tests.run(tests.files, {
    on: {},
    counts: true,
    alone: true,
    first: false,
    mostMs: 3_600_000,
  })
  const red = new Set(base.failed)
  if (red.size > 0) tell(`Left out, for they fail without a mutant: ${[...red].join(', ')}`)
  const green = tests.files.filter((file) => !red.has(file))
  const msOf = (file: string) => perFile + (base.times.get(file) ?? 0)
  const cost = (files: readonly string[]) => files.reduce((sum, file) => sum + msOf(file), 0)
  const texts = new Map(green.map((file) => [file, readFileSync(file, 'utf8')]))
  tell(`${green.length} files of tests, ${seconds(Date.now() - started)} without a mutant`)

  const fates = new Map<Mutant, Fate>()
  const files = new Map<Mutant, string[]>()
  for (const mutant of mutants) {
    const through = green
      .filter((file) => base.hits.get(file)?.[mutant.id] !== undefined)
      .toSorted((a, b) => msOf(a) - msOf(b))
    files.set(mutant, through)
    if (through.length === 0) fates.set(mutant, { state: 'uncovered' })
  }

  /** A hundred times as often as without it. */
  const mostHits = ({ id }: Mutant) =>
    1000 + 100 * Math.max(...green.map((file) => base.hits.get(file)?.[id] ?? 0))
  const runWith = (on: readonly Mutant[], over: readonly string[], how: { alone: boolean; first: boolean }) =>
    tests.run(over, {
      on: Object.fromEntries(on.map((mutant) => [mutant.id, mostHits(mutant)])),
      counts: false,
      mostMs: 20_000 + 4 * cost(over),
      ...how,
    })

  /** Whether it dies in one of these files. */
  async function tryAlone(mutant: Mutant, over: readonly string[]): Promise<boolean> {
    if (over.length === 0) return false
    const run = await runWith([mutant], over, { alone: true, first: true })
    const by = run.failed[0] ?? (run.strays.length > 0 ? over.join(', ') : undefined)
    if (by !== undefined) fates.set(mutant, { state: 'killed', by })
    else if (run.hung) fates.set(mutant, { state: 'timeout', by: over.join(', ') })
    return fates.has(mutant)
  }

  const imports = (test: string, file: string) =>
    texts.get(test)?.includes(file.replace('src/', '/src/')) ?? false
  const later: Mutant[] = []
  let done = fates.size
  const progress = every(60_000, () =>
    tell(
      `${done} of ${mutants.length} tried, ${later.length} of them to be tried further, ${seconds(Date.now() - started)}`,
    ),
  )
  for (const mutant of mutants) {
    const all = files.get(mutant) ?? []
    if (all.length === 0) continue
    const near = all.filter((file) => imports(file, mutant.file))
    const far = all.filter((file) => !near.includes(file))
    // One of the others tells a mutant that breaks whatever loads it.
    const soon = [...near, ...(cost(far) > cheap ? far.slice(0, 1) : far)]
    const isKilled = await tryAlone(mutant, soon)
    if (!isKilled && soon.length < all.length) {
      files.set(
        mutant,
        all.filter((file) => !soon.includes(file)),
      )
      later.push(mutant)
    } else if (!isKilled) fates.set(mutant, { state: 'survived', tried: all.length })
    done += 1
    progress()
  }
  if (later.length === 0) return fates

  // Some files rely on modules of their own: they are run alone.
  const shared = await tests.run(green, {
    on: {},
    counts: false,
    alone: false,
    first: false,
    mostMs: 3_600_000,
  })
  const apart = new Set(shared.failed)
  tell(
    `${later.length} mutants for many files, ${together} at once${apart.size > 0 ? `; alone: ${[...apart].join(', ')}` : ''}`,
  )

  async function failing(group: readonly Mutant[], over: readonly string[]): Promise<string[]> {
    const found: string[] = []
    for (const alone of [false, true]) {
      const part = over.filter((file) => apart.has(file) === alone)
      if (part.length === 0) continue
      const run = await runWith(group, part, { alone, first: false })
      found.push(...(isUnclear(run) ? part : run.failed))
    }
    return found
  }

  /** `over`: the files in which one of them may die. */
  async function solve(group: readonly Mutant[], over: readonly string[]): Promise<void> {
    const left = await failing(group, ofGroup(group, over))
    if (left.length === 0) return
    const half = Math.ceil(group.length / 2)
    const parts = group.length === 1 ? [group] : [group.slice(0, half), group.slice(half)]
    for (const part of parts) {
      const [first, ...others] = part
      if (first !== undefined && others.length === 0) await tryAlone(first, ofGroup(part, left))
      else await solve(part, left)
    }
  }
  const ofGroup = (group: readonly Mutant[], over: readonly string[]) =>
    over.filter((file) => group.some((mutant) => files.get(mutant)?.includes(file)))

  let open = later.length
  const further = every(60_000, () => tell(`${open} left, ${seconds(Date.now() - started)}`))
  for (const group of groupsOf(later)) {
    await solve(group, green)
    open -= group.length
    further()
  }
  for (const mutant of later)
    if (!fates.has(mutant)) fates.set(mutant, { state: 'survived', tried: files.get(mutant)?.length ?? 0 })
  return fates
}

const isUnclear = ({ hung, strays, failed }: Run) => hung || (strays.length > 0 && failed.length === 0)

/** In none of them does one mutant stand within another. */
function groupsOf(mutants: readonly Mutant[]): Mutant[][] {
  const groups: Mutant[][] = []
  for (const mutant of mutants) {
    const group = groups.find((one) => one.length < together && !one.some((other) => overlap(other, mutant)))
    if (group) group.push(mutant)
    else groups.push([mutant])
  }
  return groups
}

function every(ms: number, act: () => void): () => void {
  let last = Date.now()
  return () => {
    if (Date.now() - last < ms) return
    last = Date.now()
    act()
  }
}

export const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
