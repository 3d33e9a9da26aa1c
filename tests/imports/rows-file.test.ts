import { copyFile, mkdtemp, open, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { KeptRow } from '../../src/server/imports/rows-file.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return { ...real, open: vi.fn(real.open) }
})

// Loaded anew, because an earlier file of this worker has it with the real `open`.
vi.resetModules()
const { readRows, readRowsAt, writeRows } = await import('../../src/server/imports/rows-file.ts')

let directory: string
let path: string
let rows: KeptRow[]
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'comptoir-rows-'))
  path = join(directory, 'rows')
  await writeRows(made(), path)
  rows = (await readRows(path, { from: 0, most: 10_000, mostBytes: 1e9 })).rows
})
afterAll(() => rm(directory, { recursive: true }))

/** Some are longer than what is read at once. */
async function* made() {
  for (let line = 1; line <= 5000; line += 1) {
    const cells = [`é${line}`, 'x'.repeat(line % 1000 === 0 ? 600_000 : line % 300)]
    yield { type: 'row' as const, line, cells }
  }
}

async function at(some: readonly KeptRow[]): Promise<KeptRow[]> {
  async function* places() {
    for (const row of some) yield row.at
  }
  const read: KeptRow[] = []
  for await (const row of readRowsAt(path, places())) read.push(row)
  return read
}

describe('the reading of kept rows', () => {
  it.each([
    ['all', () => rows],
    ['every seventh', () => rows.filter((_, index) => index % 7 === 0)],
    ['the long ones', () => rows.filter(({ line }) => line % 1000 === 0)],
    ['the same twice', () => [rows[4]!, rows[4]!, rows[5]!]],
    ['backwards', () => rows.filter((_, index) => index % 400 === 0).toReversed()],
    ['none', () => []],
  ])('reads %s, each where it begins', async (_, some) => {
    expect(rows).toHaveLength(5000)
    expect(await at(some())).toEqual(some())
  })

  it('does not begin again and again where a file was cut', async () => {
    const cut = join(directory, 'cut')
    const { at: middle } = rows[10]!
    await copyFile(path, cut)
    await truncate(cut, middle + 5)
    const { next } = await readRows(cut, { from: 0, most: 100 })
    expect(next).toBe(middle)
    await expect(readRows(cut, { from: middle, most: 100 })).rejects.toThrow('is cut')
  })

  it('opens the file once, and reads no byte of it twice', async () => {
    const counted = { bytes: 0, opened: 0, closed: 0 }
    vi.mocked(open).mockImplementation(async (...given) => {
      const real = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
      const file = await real.open(...given)
      counted.opened += 1
      const read = file.read.bind(file) as (...how: unknown[]) => Promise<{ bytesRead: number }>
      const close = file.close.bind(file)
      file.read = (async (...how: unknown[]) => {
        const done = await read(...how)
        counted.bytes += done.bytesRead
        return done
      }) as typeof file.read
      file.close = () => {
        counted.closed += 1
        return close()
      }
      return file
    })
    const { size } = await (await import('node:fs/promises')).stat(path)
    await at(rows)
    expect(counted).toEqual({ bytes: size, opened: 1, closed: 1 })
  })
})

it('the keeping of rows refuses more text than a disk is to hold of one file', async () => {
  async function* rows() {
    const cells = ['x'.repeat(600_000)]
    for (let line = 1; ; line += 1) yield { type: 'row' as const, line, cells }
  }
  const cut = join(directory, 'cut')
  await expect(writeRows(rows(), cut, 2_000_000)).rejects.toThrow(/trop de texte/)
  await rm(cut)
})
