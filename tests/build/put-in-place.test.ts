import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { filesOfLastBuild, moveBuild } from '../../src/build/put-in-place.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'comptoir-build-'))
  folder = join(root, 'client')
})
afterEach(() => rmSync(root, { recursive: true }))

const day = (at: number) => new Date(2026, 2, at, 10)

function make(name: string, files: Record<string, string>): string {
  const made = join(root, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, file)), { recursive: true })
    writeFileSync(join(made, file), text)
  }
  return made
}

const build = (at: Date, hash: string) =>
  moveBuild(
    make(`client.${hash}`, { 'index.html': hash, [`assets/${hash}.js`]: hash, 'assets/same.js': 'same' }),
    folder,
    at,
  )
const assets = () => readdirSync(join(folder, 'assets')).toSorted()

describe('moveBuild', () => {
  it('puts a build where there was none, and leaves nothing beside it', () => {
    build(day(1), 'one')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('one')
    expect(readdirSync(root)).toEqual(['client'])
  })

  it('keeps the files of a page that is open for a week after they were replaced, however old they are', () => {
    build(day(1), 'one')
    build(day(20), 'two')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('two')
    expect(assets()).toEqual(['one.js', 'same.js', 'two.js'])
    build(day(26), 'three')
    expect(assets()).toEqual(['one.js', 'same.js', 'three.js', 'two.js'])
    build(day(28), 'four')
    expect(assets()).toEqual(['four.js', 'same.js', 'three.js', 'two.js'])
  })

  it('knows the files of the last build from those that it keeps', () => {
    build(day(1), 'one')
    build(day(2), 'two')
    const last = () => filesOfLastBuild(folder, 'index.html').toSorted()
    expect(last()).toEqual(['assets/same.js', 'assets/two.js', 'index.html'])
    // The clock went back.
    build(new Date(day(2).getTime() - 3_600_000), 'three')
    expect(last()).toEqual(['assets/same.js', 'assets/three.js', 'index.html'])
  })

  it('moves what a page loads before the page, and the page before the worker that fetches all', () => {
    build(day(1), 'one')
    writeFileSync(join(folder, 'sw.js'), 'one')
    const made = make('client.2', { 'workers/late.js': '', 'index.html': 'two', 'sw.js': 'two' })
    // What cannot be replaced stops the move where it is.
    rmSync(join(folder, 'index.html'))
    mkdirSync(join(folder, 'index.html', 'in the way'), { recursive: true })
    expect(() => moveBuild(made, folder, day(2))).toThrow()
    expect(existsSync(join(folder, 'workers/late.js'))).toBe(true)
    expect(readFileSync(join(folder, 'sw.js'), 'utf8')).toBe('one')
  })

  it('leaves a build that is under way beside it, and sweeps one that was killed', () => {
    const underWay = make('client.7', { 'index.html': '' })
    const killed = make('client.8', { 'index.html': '' })
    utimesSync(killed, day(1), day(1))
    moveBuild(make('client.9', { 'index.html': 'new' }), folder, new Date())
    expect([existsSync(underWay), existsSync(killed)]).toEqual([true, false])
  })
})
