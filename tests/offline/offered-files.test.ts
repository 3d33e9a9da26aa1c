import { describe, expect, it, vi } from 'vitest'

import { readMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import { forgetOfferedFile, offeredFiles, offerFiles } from '../../src/offline/offered-files.ts'
import { noteSessionRefused, forgetSession } from '../../src/offline/session-mirror.ts'
import { freshDevice, metaOf, reloadPage, signIn } from './device.ts'

freshDevice()

const now = Date.parse('2026-03-10T09:00:00Z')
const hour = 3_600_000
const file = (name: string, text = '{}') => new File([text], name)
/** One that says its size and nothing else. */
const sized = (name: string, size: number) => ({ name, size, text: vi.fn(() => Promise.resolve(name)) })
const names = (files: readonly { name: string }[] | null) => files?.map(({ name }) => name)
const held = async () =>
  names(await transact(['meta'], 'readonly', (tx) => readMeta(tx.store, 'offered_files'))) ?? []

describe('the store of offered files', () => {
  it('keeps the files that are handed over across a reload, each until it is answered for', async () => {
    await offerFiles([file('une.comptoir', 'un')], now)
    await offerFiles([file('une.comptoir', 'deux')], now)
    await reloadPage()
    const [one, other] = await offeredFiles(now)
    expect([one, other]).toMatchObject([
      { name: 'une.comptoir', text: 'un' },
      { name: 'une.comptoir', text: 'deux' },
    ])
    await forgetOfferedFile(one?.id ?? '', now)
    expect(await offeredFiles(now)).toEqual([other])
    await forgetOfferedFile(other?.id ?? '', now)
    expect(await held()).toEqual([])
  })

  it('keeps nothing that was handed over for somebody else, hours ago', async () => {
    await offerFiles([file('matin.comptoir')], now)
    await offerFiles([file('midi.comptoir')], now + hour)
    expect(await held()).toEqual(['midi.comptoir'])
    expect(await offeredFiles(now + 2 * hour)).toEqual([])
    expect(await held()).toEqual([])
  })

  it.each([
    [hour - 1, 1],
    [hour, 0],
    [1 - hour, 1],
    [-hour, 0],
  ])('keeps a file for an hour, whichever way the clock moved (%i ms: %i)', async (ms, count) => {
    await offerFiles([file('matin.comptoir')], now)
    expect(await offeredFiles(now + ms)).toHaveLength(count)
  })

  it('keeps nothing where nothing is offered', async () => {
    await offerFiles([], now)
    expect(await metaOf('offered_files')).toBeNull()
  })

  it('keeps the last five, and reads no other', async () => {
    const seven = ['1', '2', '3', '4', '5', '6', '7'].map((name) => sized(name, 10))
    await offerFiles(seven, now)
    expect(await held()).toEqual(['3', '4', '5', '6', '7'])
    expect(seven[1]?.text).not.toHaveBeenCalled()
    await offerFiles([file('8')], now)
    expect(await held()).toEqual(['4', '5', '6', '7', '8'])
  })

  it('keeps the last ones that weigh 16 MB together', async () => {
    await offerFiles([sized('1', 9_000_000), sized('2', 8_000_000), sized('3', 8_000_000)], now)
    expect(await held()).toEqual(['2', '3'])
    await offerFiles([sized('4', 1)], now)
    expect(await held()).toEqual(['3', '4'])
    // What is not read weighs nothing, and a name is no way around.
    await offerFiles([sized('5', 16_000_001), sized(`${'6'.repeat(1000)}.comptoir`, 1)], now)
    expect((await held()).map((name) => name.length)).toEqual([1, 1, 1, 255])
  })

  it('says which file could not be read, or is far too large for a queue', async () => {
    const gone = { name: 'ôtée.comptoir', size: 1, text: () => Promise.reject(new Error('gone')) }
    const large = sized('film.comptoir', 16_000_001)
    await offerFiles([gone, large], now)
    expect(await offeredFiles(now)).toMatchObject([
      { name: 'ôtée.comptoir', text: null, problem: '«\u00a0ôtée.comptoir\u00a0» n’a pas pu être lu.' },
      {
        name: 'film.comptoir',
        text: null,
        problem: '«\u00a0film.comptoir\u00a0» : la taille maximale ne doit pas excéder 16Mo.',
      },
    ])
    expect(large.text).not.toHaveBeenCalled()
  })

  it('loses what was offered to a session with it, and keeps for the next one what comes in between', async () => {
    await signIn()
    await offerFiles([file('avant.comptoir')], now)
    await forgetSession()
    expect(await held()).toEqual([])
    await offerFiles([file('entre.comptoir')], now)
    // Another page hears of the sign-out, or opens.
    await forgetSession()
    expect(await held()).toEqual(['entre.comptoir'])
    // Signed in, but at no site yet.
    await forgetSession({ isEnding: true })
    expect(await held()).toEqual([])
  })

  it('loses it as well once the server refuses the session', async () => {
    const refused = () => transact(['meta'], 'readwrite', (tx) => noteSessionRefused(tx.store, 'jeton'))
    await signIn()
    await offerFiles([file('avant.comptoir')], now)
    await refused()
    expect(await held()).toEqual([])
    await offerFiles([file('entre.comptoir')], now)
    await refused()
    await forgetSession()
    expect(await held()).toEqual(['entre.comptoir'])
  })
})
