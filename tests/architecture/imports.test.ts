import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

import { describe, expect, it } from 'vitest'

import { readAtRunTime } from '../../src/build/embedded-works.ts'

// The lines of docs/architecture: which room may import which.
const mayImport: Record<string, readonly string[]> = {
  'src/domain': ['src/domain'],
  'src/contract': ['src/contract', 'src/domain'],
  'src/offline': ['src/offline', 'src/contract', 'src/domain'],
  'src/server': ['src/server', 'src/contract', 'src/domain'],
  'src/client': ['src/client', 'src/offline', 'src/contract', 'src/domain'],
  sw: ['sw', 'src/offline', 'src/contract', 'src/domain'],
}
const packagesOfDomain = ['date-fns']
// What every subject is made of, each above those it may import.
const piecesOfClient: Record<string, readonly string[]> = {
  api: [],
  page: ['api'],
  scanner: ['api', 'page'],
  ui: ['api', 'page', 'scanner'],
}

type Import = { from: string; to: string }

const files = ['src', 'sw'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((path) => `${room}/${path.split(sep).join('/')}`)
    .filter((path) => /\.tsx?$/.test(path)),
)
const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => ({
    from,
    to: target.startsWith('.')
      ? normalize(join(dirname(from), target))
          .split(sep)
          .join('/')
      : target,
  })),
)
const roomOf = (path: string) => Object.keys(mayImport).find((room) => path.startsWith(`${room}/`))
const lines = (found: Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

describe('imports', () => {
  it('come with what a module waits for last: what stands under an await at its top is not there yet', () => {
    const late = files.filter((path) => /^await [^]*^(?:const|let|class) /m.test(readFileSync(path, 'utf8')))
    expect(late).toEqual([])
  })

  it('go round in no circle of files, types included', () => {
    expect(circlesOf(files, imports)).toEqual([])
  })

  it('go round in no circle of folders, types included', () => {
    const folders = new Set(files.map(dirname))
    const between = imports
      .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
      .filter(({ from, to }) => from !== to)
    expect(circlesOf([...folders], between)).toEqual([])
  })

  it('give no test of rules a page that its whole worker keeps', () => {
    const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
      .map((path) => `tests/${path.split(sep).join('/')}`)
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('.db.'))
    // Its `Request` takes no host, and its page is off line for those who come after.
    expect(tests.filter((path) => /^import '.*page-globals/m.test(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('point from server and client to contract and domain, never across', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [room, target] = [roomOf(from), roomOf(to)]
      return room && target && !mayImport[room]?.includes(target)
    })
    expect(lines(wrong)).toEqual([])
  })

  it('give the domain nothing but dates', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('src/domain/') && !to.startsWith('src/') && !packagesOfDomain.includes(to),
    )
    expect(lines(wrong)).toEqual([])
  })

  it('of the server name every package that is installed to run it, and those that travel in its files are not', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: object
      devDependencies: object
    }
    const rooms = ['src/server', 'src/contract', 'src/domain']
    const named = imports
      .filter(({ from }) => rooms.includes(roomOf(from) ?? ''))
      .flatMap(({ to }) => /^(?:@[a-z-]+\/)?[a-z][\w.-]*(?=\/|$)/.exec(to)?.[0] ?? [])
      .filter((name) => name !== 'src')
    const beside = Object.keys(dependencies)
    expect(beside.filter((name) => !named.includes(name) && !readAtRunTime.includes(name))).toEqual([])
    expect(named.filter((name) => !beside.includes(name) && !(name in devDependencies))).toEqual([])
  })

  it('keep the pieces below the subjects, and the app above them', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [, , room = ''] = from.split('/')
      const [, client, target = ''] = to.split('/')
      if (!from.startsWith('src/client/') || client !== 'client' || !to.startsWith('src/client/'))
        return false
      const below = piecesOfClient[room]
      if (below) return target !== room && !below.includes(target)
      return room !== 'app' && room !== 'main.tsx' && target === 'app'
    })
    expect(lines(wrong)).toEqual([])
  })

  it('let a subject use another’s data, never its screens', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [, , room = ''] = from.split('/')
      const [, , target = ''] = to.split('/')
      return (
        from.startsWith('src/client/') &&
        to.startsWith('src/client/') &&
        room !== 'app' &&
        room !== target &&
        !(target in piecesOfClient) &&
        /-screen\.tsx$/.test(to)
      )
    })
    expect(lines(wrong)).toEqual([])
  })

  it('make dialogs by the kit’s own alone, which no scan confirms and which gives the focus back', () => {
    const makers = ['src/client/ui/dialogs/dialog.tsx', 'src/client/ui/dialogs/sheet.tsx']
    const taken = /import\s*\{[^}]*\b(?:Modal|Drawer)(?:Base|\b)[^}]*\}\s*from '@mantine\/core'/
    expect(files.filter((path) => !makers.includes(path) && taken.test(readFileSync(path, 'utf8')))).toEqual(
      [],
    )
    expect(makers.filter((path) => taken.test(readFileSync(path, 'utf8')))).toEqual(makers)
  })

  it('go through no barrel', () => {
    expect(files.filter((path) => /\/index\.tsx?$/.test(path))).toEqual([])
  })
})

describe('names', () => {
  it('say something', () => {
    expect(
      files.filter(
        (path) =>
          /(^|[/-])(utils?|helpers?|common|manager|misc)([/.-]|$)/.test(path) &&
          !/common-passwords/.test(path),
      ),
    ).toEqual([])
  })

  it('are kebab-case', () => {
    expect(files.filter((path) => !/^[a-z0-9/.-]+$/.test(path))).toEqual([])
  })
})

/** Those that import each other by whatever way, each circle once (Tarjan). */
function circlesOf(all: readonly string[], ways: readonly Import[]): string[][] {
  const importedBy = new Map<string, string[]>(all.map((one) => [one, []]))
  for (const { from, to } of ways) if (importedBy.has(to)) importedBy.get(from)?.push(to)
  const places = new Map<string, { place: number; lowest: number }>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (one: string) => {
    const own = { place: places.size, lowest: places.size }
    places.set(one, own)
    open.push(one)
    for (const next of importedBy.get(one) ?? []) {
      const known = places.get(next) ?? visit(next)
      if (open.includes(next)) own.lowest = Math.min(own.lowest, known.lowest)
    }
    if (own.lowest === own.place) {
      const circle = open.splice(open.indexOf(one))
      if (circle.length > 1) found.push(circle)
    }
    return own
  }
  for (const one of all) if (!places.has(one)) visit(one)
  return found
}
