import { expect, it } from 'vitest'

import { offerFiles, takeOfferedFiles } from '../../src/offline/offered-files.ts'
import { freshDevice, reloadPage } from './device.ts'

freshDevice()

const now = Date.parse('2026-03-10T09:00:00Z')
const hour = 3_600_000
const file = (name: string, text = '{}') => new File([text], name)

it('keeps the files that are handed over across a reload, and gives each of them once', async () => {
  await offerFiles([file('une.comptoir', 'un')], now)
  await offerFiles([file('deux.comptoir', 'deux')], now)
  await reloadPage()
  const taken = await Promise.all([takeOfferedFiles(now), takeOfferedFiles(now)])
  expect(taken.map((files) => files.map(({ name, text }) => [name, text]))).toEqual([
    [
      ['une.comptoir', 'un'],
      ['deux.comptoir', 'deux'],
    ],
    [],
  ])
})

it('gives nothing that was handed over for somebody else, hours ago', async () => {
  await offerFiles([file('matin.comptoir')], now)
  await offerFiles([file('midi.comptoir')], now + hour)
  expect((await takeOfferedFiles(now + hour)).map(({ name }) => name)).toEqual(['midi.comptoir'])
  expect(await takeOfferedFiles(now)).toEqual([])
})

it('knows by its name a file that could not be read, or is far too large for a queue', async () => {
  const gone = { name: 'ôtée.comptoir', size: 1, text: () => Promise.reject(new Error('gone')) }
  const large = { name: 'film.comptoir', size: 20_000_000, text: () => Promise.resolve('…') }
  await offerFiles([gone, large], now)
  expect(await takeOfferedFiles(now)).toMatchObject([
    { name: 'ôtée.comptoir', text: null },
    { name: 'film.comptoir', text: null },
  ])
})
