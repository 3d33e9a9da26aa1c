import { readFileSync } from 'node:fs'

import { type Mutant, overlap } from './make-mutants.ts'
import type { PlainTests, Run } from './plain-tests.ts'

export type Fate =
  { state: 'killed' | 'endless'; by: string } | { state: 'survived'; tried: number } | { state: 'uncovered' }

/** So many are switched on together where each alone would cost a run of dozens of files. */
const together = 40
/** What may be run for one mutant alone, in milliseconds. */
const cheap = 6000
/** Starting a worker and reading a file’s modules, once its tests are known to take no time. */
const perFile = 1000
const hour = 3_600_000

/**
 * Says which test kills each mutant. A file of tests is run against a mutant only if it goes through it: first those
 * that import the mutated file themselves; then, where many more files go through it (what runs as a module loads),
 * with others switched on at once, and whichever file fails is run again with half of them. Whatever is said to
 * kill has done so with that mutant alone, in a worker of its own.
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  tests: PlainTests,
  { known, keep, tell }: { known: ReadonlyMap<string, Fate>; keep: Keep; tell: (line: string) => void },
): Promise<Map<Mutant, Fate>> {
  const started = Date.now()
  const told = (line: string) => tell(`${line}, ${seconds(Date.now() - started)}`)
  const off = { on: {}, first: false, mostMs: hour }
  const base = await tests.run(tests.files, { ...off, counts: true, alone: true })
  const red = new Set(base.failed)
  const green = tests.files.filter((file) => !red.has(file))
  // Some files rely on modules of their own: they are always run alone.
  const shared = await tests.run(green, { ...off, counts: false, alone: false })
  const apart = new Set(shared.failed)
  told(`${green.length} files of tests pass without a mutant`)
  if (red.size > 0) tell(`Left out, for they fail: ${[...red].join(', ')}`)
  if (apart.size > 0) tell(`Always alone: ${[...apart].join(', ')}`)

  const msOf = (file: string) => perFile + (base.times.get(file) ?? 0)
  const cost = (files: readonly string[]) => files.reduce((sum, file) => sum + msOf(file), 0)
  const texts = new Map(green.map((file) => [file, readFileSync(file, 'utf8')]))
  const imports = (test: string, file: string) =>
    texts.get(test)?.includes(file.replace('src/', '/src/')) ?? false

  const fates = new Map<Mutant, Fate>()
  /** Where each mutant is still to be tried. */
  const files = new Map<Mutant, string[]>()
  for (const mutant of mutants) {
    const through = green
      .filter((file) => base.hits.get(file)?.[mutant.id] !== undefined)
      .toSorted((a, b) => msOf(a) - msOf(b))
    files.set(mutant, through)
    const fate = through.length === 0 ? ({ state: 'uncovered' } as const) : known.get(mutant.key)
    if (fate) fates.set(mutant, fate)
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

  async function failing(
    group: readonly Mutant[],
    over: readonly string[],
    first: boolean,
  ): Promise<string[]> {
    const found: string[] = []
    for (const alone of [false, true]) {
      const part = over.filter((file) => apart.has(file) === alone)
      if (part.length === 0 || (first && found.length > 0)) continue
      const run = await runWith(group, part, { alone, first })
      found.push(...(isUnclear(run) ? part : run.failed))
    }
    return found
  }

  /** How many mutants of a file died in which file of tests. */
  const kills = new Map<string, number>()
  const killsOf = ({ file }: Mutant, test: string) => kills.get(`${file} ${test}`) ?? 0

  /** Whether it dies in one of these, each in a worker of its own. */
  async function diesIn(mutant: Mutant, over: readonly string[]): Promise<boolean> {
    let run = await runWith([mutant], over, { alone: true, first: true })
    // What waits for something fails on a busy machine as well.
    if (run.hasWaited || run.hung) run = await runWith([mutant], over, { alone: true, first: true })
    const by = run.failed[0] ?? (run.isAstray ? over.join(', ') : undefined)
    if (by !== undefined) {
      fates.set(mutant, { state: 'killed', by })
      kills.set(`${mutant.file} ${by}`, killsOf(mutant, by) + 1)
    } else if (run.hung) fates.set(mutant, { state: 'endless', by: over.join(', ') })
    return fates.has(mutant)
  }

  async function tryAlone(mutant: Mutant, over: readonly string[]): Promise<boolean> {
    const [likely, ...others] = over.toSorted((a, b) => killsOf(mutant, b) - killsOf(mutant, a))
    if (likely === undefined) return false
    const isLikely = others.length === 0 || killsOf(mutant, likely) > 0
    if (isLikely && (await diesIn(mutant, [likely]))) return true
    let rest = isLikely ? others : over
    while (rest.length > 0) {
      const left = await failing([mutant], rest, true)
      if (left.length === 0) return false
      if (await diesIn(mutant, left)) return true
      rest = rest.filter((file) => !left.includes(file))
    }
    return false
  }

  const later: Mutant[] = []
  const progress = every(60_000, () => {
    keep(fates)
    told(
      `${fates.size + later.length} of ${mutants.length} tried, ${later.length} of them to be tried further`,
    )
  })
  for (const mutant of mutants) {
    const all = files.get(mutant) ?? []
    if (fates.has(mutant)) continue
    const near = all.filter((file) => imports(file, mutant.file))
    const far = all.filter((file) => !near.includes(file))
    // One of the others tells a mutant that breaks whatever loads it.
    const soon = [...near, ...(cost(far) > cheap ? far.slice(0, 1) : far)]
    const isKilled = await tryAlone(mutant, soon)
    if (!isKilled && soon.length < all.length) {
      const rest = all.filter((file) => !soon.includes(file))
      files.set(mutant, rest)
      later.push(mutant)
    } else if (!isKilled) fates.set(mutant, { state: 'survived', tried: all.length })
    progress()
  }

  const ofGroup = (group: readonly Mutant[], over: readonly string[]) =>
    over.filter((file) => group.some((mutant) => files.get(mutant)?.includes(file)))

  /** `over`: the files in which one of them may die. */
  async function solve(group: readonly Mutant[], over: readonly string[]): Promise<void> {
    const left = await failing(group, ofGroup(group, over), false)
    if (left.length === 0) return
    const half = Math.ceil(group.length / 2)
    const parts = group.length === 1 ? [group] : [group.slice(0, half), group.slice(half)]
    for (const part of parts) {
      const [first, ...others] = part
      if (first !== undefined && others.length === 0) await diesIn(first, ofGroup(part, left))
      else await solve(part, left)
    }
  }

  if (later.length > 0) told(`${later.length} mutants that many files go through, ${together} at once`)
  let open = later.length
  for (const group of groupsOf(later)) {
    await solve(group, green)
    for (const mutant of group)
      if (!fates.has(mutant)) fates.set(mutant, { state: 'survived', tried: files.get(mutant)?.length ?? 0 })
    open -= group.length
    keep(fates)
    told(`${open} left`)
  }
  return fates
}

/** Keeps what is known so far, so that a run that was cut off can go on. */
export type Keep = (fates: ReadonlyMap<Mutant, Fate>) => void

const isUnclear = ({ hung, isAstray, failed }: Run) => hung || (isAstray && failed.length === 0)

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
