import { expect, it } from 'vitest'

import { isKeptImage, leavingImages } from '../../src/offline/kept-images.ts'

const origin = 'https://pret.exemple.fr'
const version = '0123456789abcdef'.repeat(2)

it.each([
  [`/api/image/references/12?v=${version}`, true],
  [`/api/image/references/12?v=${version}&size=small`, true],
  ['/api/image/references/12', false],
  ['/api/image/references/12?v=1', false],
  ['/api/image/env/1', false],
  [`/api/references/12?v=${version}`, false],
])('%s is kept for when there is no network: %s', (path, isKept) => {
  expect(isKeptImage(origin + path, origin)).toBe(isKept)
  expect(isKeptImage(`https://ailleurs.exemple.fr${path}`, origin)).toBe(false)
})

const kept = [40, 30, 20, 10].map((bytes, at) => ({ key: `${at}`, bytes }))
const leaving = (bytes: number, count: number) => leavingImages(kept, { bytes, count }).map(({ key }) => key)

it('lets the oldest images go, by what they weigh and by how many they are', () => {
  expect(leaving(100, 4)).toEqual([])
  expect(leaving(99, 4)).toEqual(['0'])
  expect(leaving(100, 2)).toEqual(['0', '1'])
  expect(leaving(30, 4)).toEqual(['0', '1'])
  expect(leaving(5, 4)).toEqual(['0', '1', '2', '3'])
})
