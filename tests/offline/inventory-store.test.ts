import { beforeEach, describe, expect, it } from 'vitest'

import { countName, type CountName } from '../../src/offline/inventory-rows.ts'
import { recordScan } from '../../src/offline/inventory-scans.ts'
import {
  changeCount,
  copiesOf,
  forgetCount,
  keepCopies,
  keepCount,
  keepOthers,
  loadedCounts,
  othersOf,
  readCount,
} from '../../src/offline/inventory-store.ts'
import { actorOf, biblio, freshDevice } from './device.ts'

freshDevice()

const count = countName(1, 7)
const loaded = {
  environment_id: 1,
  id: 7,
  name: 'Jeunesse',
  site: 1,
  site_name: 'Centre',
  status: 'open',
  locations: [],
  shelves: [],
  loaded_at: null,
  after: 0,
  copies: 0,
  total: 1,
  cursor: null,
  shelf: null,
}
const copy = (id: number) => ({
  id,
  bar_code: String(1000 + id),
  name: 'Livre',
  call_number: null,
  medium: 'Livre',
  site: 1,
  location: null,
  status: 'Disponible' as const,
  deleted: false,
  expected: true,
})
const seen = (key: string) => ({
  key,
  copy: 1,
  location: null,
  scanned_at: '2026-03-10T09:00:00.000Z',
  who: 'benevole',
  taken_back: false,
})
beforeEach(() => keepCount(loaded))

const ids = async (of: CountName = count) => (await copiesOf(of)).map(({ id }) => id)
const page = (after: number, copies: number[], complete: boolean) =>
  keepCopies(count, { after, copies: copies.map(copy), complete }, {})

it('countName tells the same number of two organisations apart', () => {
  expect([countName(1, 7), countName(2, 7)]).toEqual(['1/7', '2/7'])
})

describe('keepCount', () => {
  it('takes what is fetched anew, but for where the person stands and what is known of others', async () => {
    await changeCount(count, { shelf: 4, cursor: 'c9' })
    await keepCount({ ...loaded, name: 'Jeunesse et BD', shelf: 1, cursor: 'c1' })
    expect(await readCount(count)).toMatchObject({ name: 'Jeunesse et BD', shelf: 4, cursor: 'c9' })
  })

  it('takes all of an inventory that was not here', async () => {
    await keepCount({ ...loaded, id: 8, shelf: 2, cursor: 'c1' })
    expect(await readCount(countName(1, 8))).toMatchObject({ shelf: 2, cursor: 'c1' })
  })
})

it('changeCount changes nothing of an inventory that is not here', async () => {
  expect(await changeCount('1/9', { shelf: 4 })).toBeNull()
  expect(await readCount('1/9')).toBeNull()
  expect(await changeCount(count, { shelf: 4 })).toEqual({ ...loaded, shelf: 4 })
})

describe('keepCopies', () => {
  it('puts a page in place of what was known between its ends', async () => {
    await page(0, [1, 2, 3, 4, 5, 6], true)
    await page(2, [4], false)
    expect(await ids()).toEqual([1, 2, 4, 5, 6])
    await page(4, [5], true)
    expect(await ids()).toEqual([1, 2, 4, 5])
  })

  it('takes out all that is left for an empty last page', async () => {
    await page(0, [1, 2, 3], true)
    await page(1, [], true)
    expect(await ids()).toEqual([1])
  })

  it('keeps nothing of an inventory that is not here', async () => {
    await keepCopies('1/9', { after: 0, copies: [copy(1)], complete: true }, { after: 1 })
    expect([await ids('1/9'), await readCount('1/9')]).toEqual([[], null])
  })
})

describe('keepOthers', () => {
  it('keeps each scan of another device once, as last told, and up to where they are known', async () => {
    await keepOthers(count, [seen('a'), seen('b')], 'c1')
    await keepOthers(count, [{ ...seen('b'), taken_back: true, more: 1 } as never], 'c2')
    expect(await othersOf(count)).toEqual([
      { count, ...seen('a') },
      { count, ...seen('b'), taken_back: true },
    ])
    expect(await readCount(count)).toMatchObject({ cursor: 'c2' })
  })

  it('keeps nothing of an inventory that is not here', async () => {
    await keepOthers('1/9', [seen('a')], 'c1')
    expect([await othersOf('1/9'), await readCount('1/9')]).toEqual([[], null])
  })
})

it('loadedCounts lists those of one organisation', async () => {
  await keepCount({ ...loaded, id: 8 })
  await keepCount({ ...loaded, environment_id: 11 })
  expect((await loadedCounts(1)).map(({ id }) => id)).toEqual([7, 8])
})

it('forgetCount forgets others’ scans and its own that were sent, and no other inventory’s', async () => {
  await keepOthers(count, [seen('a')], 'c1')
  await keepCount({ ...loaded, id: 8 })
  await keepOthers('1/8', [seen('a')], 'c1')
  const scan = { key: 'k', inventory: 7, site: 1, bar_code: '1', copy: 1, location: null, name: null }
  const actor = await actorOf(biblio)
  await recordScan({ ...scan, way: 'hand', verdict: 'found' }, actor)
  expect(await forgetCount(count)).toBe(false)
  expect(await othersOf(count)).toHaveLength(1)
  await recordScan({ ...scan, key: 'l', inventory: 8, way: 'hand', verdict: 'found' }, actor)
  await expect(forgetCount('1/9')).resolves.toBe(true)
  expect([await othersOf(count), await othersOf('1/8')].map(({ length }) => length)).toEqual([1, 1])
})
