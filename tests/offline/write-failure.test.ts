import { afterEach, describe, expect, it, vi } from 'vitest'

import { StoreOutdatedError } from '../../src/offline/device-store.ts'
import { dropKeptImages } from '../../src/offline/drop-kept-images.ts'
import { failureOf, writeMakingRoom } from '../../src/offline/write-failure.ts'

afterEach(() => vi.unstubAllGlobals())

const full = new DOMException('full', 'QuotaExceededError')
const imagesWith = (remove: () => Promise<boolean>) => {
  const spy = vi.fn((_name: string) => remove())
  vi.stubGlobal('caches', { delete: spy })
  return spy
}

it.each<[unknown, string]>([
  [new StoreOutdatedError(null), 'outdated'],
  [full, 'quota'],
  [new DOMException('', 'AbortError'), 'failed'],
  [undefined, 'failed'],
])('failureOf %o is %s', (error, failure) => expect(failureOf(error)).toBe(failure))

describe('writeMakingRoom', () => {
  it('writes once where there is room', async () => {
    const images = imagesWith(() => Promise.resolve(true))
    const write = vi.fn(() => Promise.resolve('written'))
    expect(await writeMakingRoom(write)).toBe('written')
    expect(write).toHaveBeenCalledOnce()
    expect(images).not.toHaveBeenCalled()
  })

  it('drops the images of a full device and writes once more', async () => {
    const images = imagesWith(() => Promise.resolve(true))
    const write = vi.fn(() => Promise.resolve('written')).mockRejectedValueOnce(full)
    expect(await writeMakingRoom(write)).toBe('written')
    expect(images).toHaveBeenCalledExactlyOnceWith('comptoir-images')
  })

  it('gives up where it is full without images too, and at once at any other trouble', async () => {
    const write = vi.fn(() => Promise.reject(full))
    await expect(writeMakingRoom(write)).rejects.toBe(full)
    expect(write).toHaveBeenCalledTimes(2)
    const images = imagesWith(() => Promise.resolve(true))
    const other = vi.fn(() => Promise.reject(new Error('no')))
    await expect(writeMakingRoom(other)).rejects.toThrow('no')
    expect(other).toHaveBeenCalledOnce()
    expect(images).not.toHaveBeenCalled()
  })
})

it('dropKeptImages fails nowhere, neither without a store nor where that is broken', async () => {
  vi.stubGlobal('caches', undefined)
  await dropKeptImages()
  imagesWith(() => Promise.reject(new Error('broken')))
  expect(await dropKeptImages()).toBe(false)
  imagesWith(() => Promise.resolve(true))
  expect(await dropKeptImages()).toBe(true)
})
