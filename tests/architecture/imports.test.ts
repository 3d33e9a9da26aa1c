import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

import { describe, expect, it } from 'vitest'

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
const piecesOfClient = ['ui', 'api', 'scanner']

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

  it('keep ui, api and scanner below the subjects, and the app above them', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [, , room = ''] = from.split('/')
      const [, client, target = ''] = to.split('/')
      if (!from.startsWith('src/client/') || client !== 'client' || !to.startsWith('src/client/'))
        return false
      if (room === 'ui' || room === 'scanner') return !['ui', 'scanner', 'api'].includes(target)
      if (room === 'api') return !['api', 'session'].includes(target)
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
        !piecesOfClient.includes(target) &&
        /-screen\.tsx$/.test(to)
      )
    })
    expect(lines(wrong)).toEqual([])
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
