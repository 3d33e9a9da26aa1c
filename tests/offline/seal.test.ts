import { createHmac } from 'node:crypto'

import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Entry } from '../../src/offline/entry.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { hasSeal, rememberSeal, transactSealing } from '../../src/offline/seal.ts'
import { forgetSession, rememberSession } from '../../src/offline/session-mirror.ts'
import { benevole, biblio, freshDevice, lending, metaOf, record, returning } from './device.ts'

freshDevice()
afterEach(() => vi.unstubAllGlobals())

const key = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at * 7))
const session = { ...biblio, token: 'jeton' }
const signInSealing = async () => {
  await rememberSession(session)
  await rememberSeal({ id: 'sceau', key: key.toString('base64url') }, session)
}
const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
const withoutSubtle = () => {
  const { crypto } = globalThis
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  })
}

describe('a seal', () => {
  it.each(['with', 'without'])(
    'covers key, call, site and body, as the server works it out, %s HTTPS',
    async (how) => {
      if (how === 'without') withoutSubtle()
      await signInSealing()
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
        await record({ ...lending(n), body: { copy: n } }, { ...biblio, site: 4 })
      const entries = await listEntries()
      expect(entries.map(({ seal }) => seal)).toEqual(
        entries.map(({ id, frozen_body }) => ({
          id: 'sceau',
          mac: macOf(JSON.stringify(['v1', id, 'POST', '/api/loanings', 4, null, frozen_body])),
        })),
      )
    },
  )

  it('covers the loan that the address names, and whose action was taken over', async () => {
    await signInSealing()
    const back = await record({ ...returning(1), endpoint: 'loanings.return', params: { id: '12' } })
    const theirs = await record(lending(2), benevole)
    const adopted_by = { user_id: biblio.user_id, username: 'biblio', at: '' }
    const [own, taken] = await transactSealing((_, { seal }) =>
      Promise.resolve([seal(back), seal({ ...theirs, adopted_by })] as const),
    )
    const call = ['v1', back.id, 'POST', '/api/loanings/12/return', 1, null, back.frozen_body]
    expect(own.seal?.mac).toBe(macOf(JSON.stringify(call)))
    expect(taken.seal?.mac).toBe(
      macOf(JSON.stringify(['v1', theirs.id, 'POST', '/api/loanings', 1, 3, theirs.frozen_body])),
    )
  })

  it('is none where nobody has a key, or where another person would send', async () => {
    expect((await record(lending(1))).seal).toBeNull()
    await signInSealing()
    expect((await record(lending(2), benevole)).seal).toBeNull()
    expect((await record(lending(3), { ...biblio, environment_id: 2 })).seal).toBeNull()
    expect((await record(lending(4))).seal).not.toBeNull()
  })

  it('goes with the session, and stays through another look at the same one', async () => {
    await signInSealing()
    expect([await hasSeal('jeton'), await hasSeal('autre')]).toEqual([true, false])
    await rememberSession(session)
    expect(await hasSeal('jeton')).toBe(true)
    await rememberSession({ ...session, token: 'neuf' })
    expect([await hasSeal('jeton'), await hasSeal('neuf')]).toEqual([false, false])
    await signInSealing()
    await forgetSession()
    expect(await hasSeal('jeton')).toBe(false)
  })

  it('is not kept for a session that is over by the time its key is read', async () => {
    await rememberSession({ ...session, token: 'neuf' })
    await rememberSeal({ id: 'sceau', key: key.toString('base64url') }, session)
    expect(await metaOf('seal')).toBeNull()
  })
})

describe('transactSealing', () => {
  it('runs once where there is nothing to seal, and once more to seal, with the same keys', async () => {
    await signInSealing()
    const entry = await record(lending(1))
    let runs = 0
    await transactSealing(() => Promise.resolve((runs += 1)))
    expect(runs).toBe(1)
    const keys: string[][] = []
    const sealed = await transactSealing((_, { seal, newKey }) => {
      const own = [newKey(), newKey()]
      keys.push(own)
      return Promise.resolve(seal({ ...entry, id: own[1] ?? '' }))
    })
    expect(keys).toHaveLength(2)
    expect(keys[1]).toEqual(keys[0])
    expect(new Set(keys[0]).size).toBe(2)
    expect(sealed.seal?.id).toBe('sceau')
  })

  it('leaves nothing behind of the run before', async () => {
    await signInSealing()
    const { seq: _, ...entry } = await record(lending(1))
    await transactSealing((tx, { seal, newKey }) =>
      tx.objectStore('outbox').add(seal({ ...entry, id: newKey() }) as Entry),
    )
    expect(await listEntries()).toHaveLength(2)
  })

  it('gives up after five runs where what is to be sealed never stays the same', async () => {
    await signInSealing()
    const entry = await record(lending(1))
    let runs = 0
    const sealed = await transactSealing((_, { seal }) => {
      runs += 1
      return Promise.resolve(seal({ ...entry, site: runs }))
    })
    expect(runs).toBe(5)
    expect(sealed.seal).toBeNull()
  })

  it('passes on a failure of the work, and keeps nothing of it', async () => {
    const failure = new Error('full')
    const failing = transactSealing(async (tx) => {
      await tx.objectStore('meta').put(7, 'device_seq')
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    expect(await metaOf('device_seq')).toBeNull()
  })
})
