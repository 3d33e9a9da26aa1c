import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { closeStore } from '../../src/offline/device-store.ts'
import {
  imageUse,
  isKeptImage,
  keepImage,
  keptImage,
  leavingImages,
  setImageBudget,
} from '../../src/offline/kept-images.ts'
import { forgetSession } from '../../src/offline/session-mirror.ts'
import { freshDevice, metaOf, signIn } from './device.ts'

const origin = 'https://pret.exemple.fr'
const version = '0123456789abcdef'.repeat(2)

it.each([
  [`/api/image/references/12?v=${version}`, true],
  [`/api/image/references/12?v=${version}&size=small`, true],
  ['/api/image/references/12', false],
  [`/api/image/references/12?v=${version}0`, false],
  [`/x/api/image/references/12?v=${version}`, false],
  [`/api/image/references/12/x?v=${version}`, false],
  [`/api/image/references/x?v=${version}`, false],
  ['/api/image/references/12?v=1', false],
  ['/api/image/env/1', false],
  [`/api/references/12?v=${version}`, false],
])('%s is kept for when there is no network: %s', (path, isKept) => {
  expect(isKeptImage(origin + path, origin)).toBe(isKept)
  expect(isKeptImage(`https://ailleurs.exemple.fr${path}`, origin)).toBe(false)
})

const kept = [40, 30, 20, 10].map((bytes, at) => ({ key: `${at}`, bytes }))
const leaving = (bytes: number, count: number) => leavingImages(kept, { bytes, count }).map(({ key }) => key)

it('leavingImages lets the oldest go, by what they weigh and by how many they are', () => {
  expect(leaving(100, 4)).toEqual([])
  expect(leaving(99, 4)).toEqual(['0'])
  expect(leaving(100, 2)).toEqual(['0', '1'])
  expect(leaving(30, 4)).toEqual(['0', '1'])
  expect(leaving(10, 1)).toEqual(['0', '1', '2'])
  expect(leaving(5, 4)).toEqual(['0', '1', '2', '3'])
})

/** The browser's store of images; `put` may be made to fail. */
function imageStore() {
  const stored = new Map<string, Response>()
  const cache = {
    keys: () => Promise.resolve([...stored.keys()].map((url) => ({ url }))),
    match: (key: string) => Promise.resolve(stored.get(key)?.clone()),
    put: vi.fn((key: string, image: Response) => Promise.resolve(void stored.set(key, image))),
    delete: (key: string) => Promise.resolve(stored.delete(key)),
  }
  vi.stubGlobal('caches', {
    open: vi.fn(() => Promise.resolve(cache)),
    delete: () => {
      stored.clear()
      return Promise.resolve(true)
    },
  })
  return { stored, cache }
}
const roomOf = (usage: number | undefined, quota: number | undefined) =>
  vi.stubGlobal('navigator', {
    storage: { estimate: () => Promise.resolve({ usage, quota } as StorageEstimate) },
  })

describe('images', () => {
  freshDevice()
  let store: ReturnType<typeof imageStore>
  beforeEach(async () => {
    store = imageStore()
    roomOf(0, 1e12)
    await setImageBudget(0)
    await setImageBudget(20)
    await signIn()
  })
  afterEach(() => vi.unstubAllGlobals())

  const address = (n: number) => `${origin}/api/image/references/${n}?v=${version}`
  const image = (bytes: number) =>
    new Response(new Uint8Array(bytes), { headers: { 'Content-Type': 'image/webp' } })
  const keep = (n: number, bytes: number) => keepImage(address(n), image(bytes))
  const keptNow = async () => {
    const found: number[] = []
    for (let n = 1; n <= 30; n += 1) if (await keptImage(address(n))) found.push(n)
    return found
  }

  it('are kept with their type, and counted by what they weigh', async () => {
    await keep(1, 1000)
    await keep(2, 500)
    const found = await keptImage(address(1))
    expect(found?.headers.get('content-type')).toBe('image/webp')
    expect((await found?.blob())?.size).toBe(1000)
    expect(await keptImage(address(3))).toBeUndefined()
    expect(await imageUse()).toEqual({ budget: 20, count: 2, bytes: 1500 })
  })

  it('are kept one after the other', async () => {
    await Promise.all([keep(1, 10), keep(2, 10), keep(3, 10)])
    expect([...store.stored.keys()]).toEqual([1, 2, 3].map((n) => `${address(n)}&bytes=10`))
  })

  it('are kept for nobody', async () => {
    await forgetSession()
    await keep(1, 1000)
    expect(store.stored.size).toBe(0)
  })

  it.each([
    [2_000_000, 1],
    [2_000_001, 0],
  ])('of %i bytes are kept: %i', async (bytes, count) => {
    await keep(1, bytes)
    expect(store.stored.size).toBe(count)
  })

  it('of the oldest leave, beyond the budget', async () => {
    for (let n = 1; n <= 11; n += 1) await keep(n, 2_000_000)
    expect(await keptNow()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(await imageUse()).toEqual({ budget: 20, count: 10, bytes: 20_000_000 })
  })

  it('leave at once by a smaller budget, all of them by none', async () => {
    await setImageBudget(100)
    for (let n = 1; n <= 12; n += 1) await keep(n, 2_000_000)
    expect(await imageUse()).toMatchObject({ budget: 100, count: 12 })
    await setImageBudget(20)
    expect(await keptNow()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    await setImageBudget(0)
    expect([await keptNow(), await metaOf('image_budget')]).toEqual([[], 0])
    await keep(1, 1000)
    expect(await imageUse()).toEqual({ budget: 0, count: 0, bytes: 0 })
  })

  it.each<[string, number | undefined, number | undefined, boolean]>([
    ['is under half full', 400, 1001, true],
    ['would be half full', 400, 1000, false],
    ['does not say how full it is', undefined, undefined, true],
    ['says its room alone', undefined, 200, false],
  ])('give their room back unless the device %s', async (_, usage, quota, kept) => {
    await keep(1, 10)
    roomOf(usage, quota)
    await keep(2, 100)
    expect(await keptNow()).toEqual(kept ? [1, 2] : [])
  })

  it('give their room back at any trouble, and are kept again after it', async () => {
    await keep(1, 10)
    store.cache.put.mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'))
    await keep(2, 10)
    expect(await keptNow()).toEqual([])
    await keep(3, 10)
    expect(await keptNow()).toEqual([3])
  })

  it('that another page dropped or kept are found so', async () => {
    await keep(1, 10)
    expect(await keptNow()).toEqual([1])
    const [key] = store.stored.keys()
    store.stored.clear()
    store.stored.set(`${address(2)}&bytes=10`, image(10))
    expect(await keptImage(address(1))).toBeUndefined()
    expect(await keptNow()).toEqual([2])
    expect(key).toBe(`${address(1)}&bytes=10`)
  })

  it('are looked up without reading the store each time', async () => {
    await keep(1, 10)
    await keptNow()
    const keys = vi.spyOn(store.cache, 'keys')
    await keptNow()
    expect(keys).not.toHaveBeenCalled()
  })

  it('are not there where the store cannot be read', async () => {
    vi.stubGlobal('caches', { open: () => Promise.reject(new Error('broken')) })
    expect(await keptImage(address(1))).toBeUndefined()
  })

  it('count for nothing where an older version did not say what they weigh', async () => {
    store.stored.set(address(1), image(10))
    expect(await imageUse()).toMatchObject({ count: 1, bytes: 0 })
  })

  it('may take 20 MB where nobody chose', async () => {
    globalThis.indexedDB = new IDBFactory()
    await closeStore()
    expect(await imageUse()).toMatchObject({ budget: 20 })
    await signIn()
    await keep(1, 10)
    expect(store.stored.size).toBe(1)
  })
})
