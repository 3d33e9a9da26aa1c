import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { forgetRows, keepFile, readFile, sweepPlaces } from '../../src/server/imports/import-place.ts'
import * as rowsFile from '../../src/server/imports/rows-file.ts'

let files: string
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), 'comptoir-place-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(files, { recursive: true })
})
const received = async (text: string) => {
  const path = join(files, 'received')
  await writeFile(path, text)
  return { path, name: 'livres.csv' }
}
const kept = async (text: string) => {
  const read = await keepFile(files, await received(text))
  if (!read.ok) throw new Error('refused')
  return read.answer
}
const places = () => readdir(join(files, 'imports'))
const inPlace = (place: string) => readdir(join(files, 'imports', place))

describe('the place of an import', () => {
  it('leaves nothing of a file that could not be read at all, whatever the reason', async () => {
    expect(await keepFile(files, await received('Titre;Auteur\nA;"B\n'))).toMatchObject({ ok: false })
    vi.spyOn(rowsFile, 'writeRows').mockRejectedValueOnce(new Error('no room'))
    await expect(keepFile(files, await received('Titre\nA\n'))).rejects.toThrow('no room')
    await expect(keepFile(files, { path: join(files, 'gone'), name: 'x' })).rejects.toThrow('ENOENT')
    expect(await places()).toEqual([])
  })

  it('leaves a kept file as it was where it cannot be read otherwise', async () => {
    const { place, rows_file } = await kept('Titre;Auteur\nA;"B;C"\n')
    vi.spyOn(rowsFile, 'writeRows').mockImplementationOnce(async (_, path) => {
      await writeFile(path, 'begun')
      throw new Error('no room')
    })
    await expect(readFile(files, place, { name: 'x' })).rejects.toThrow('no room')
    expect((await inPlace(place)).toSorted()).toEqual(['file', rows_file])
  })

  const dayMs = 24 * 3600_000
  const inDays = (days: number) => new Date(Date.now() + days * dayMs)
  const readAgain = async (place: string) => {
    const read = await readFile(files, place, { name: 'x', header: false })
    if (!read.ok) throw new Error('refused')
    return read.answer
  }

  it('forgets one reading alone: another one under way stays', async () => {
    const first = await kept('Titre;Auteur\nA;B\n')
    const second = await readAgain(first.place)
    const third = await readAgain(first.place)
    await forgetRows(files, first)
    expect((await inPlace(first.place)).toSorted()).toEqual(
      ['file', second.rows_file, third.rows_file].toSorted(),
    )
  })

  it('sweeps what was read otherwise of a known file, and whole files that nobody knows, both after a day', async () => {
    const known = await kept('Titre;Auteur\nA;B\n')
    const unknown = await kept('Titre;Auteur\nC;D\n')
    const last = await readAgain(known.place)
    const names = new Map([[known.place, last.rows_file]])
    await sweepPlaces(files, names, inDays(0.5))
    expect(await places()).toHaveLength(2)
    expect(await inPlace(known.place)).toHaveLength(3)
    await sweepPlaces(files, names, inDays(1.5))
    expect(await places()).toEqual([known.place])
    expect(await inPlace(unknown.place).catch(() => null)).toBe(null)
    expect((await inPlace(known.place)).toSorted()).toEqual(['file', last.rows_file])
  })

  it('sweeps nothing where nothing was ever kept', async () => {
    await expect(sweepPlaces(files, new Map(), inDays(2))).resolves.toBeUndefined()
  })
})
