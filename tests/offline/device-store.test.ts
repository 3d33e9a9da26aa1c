import { IDBFactory, IDBDatabase } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'

import {
  closeStore,
  nameOf,
  snapshotStoresOf,
  StoreOutdatedError,
  storeTrouble,
  transact,
  watchStoreTrouble,
} from '../../src/offline/device-store.ts'
import { freshDevice, keepMeta, metaOf } from './device.ts'

freshDevice()
afterEach(() => vi.restoreAllMocks())

const put = (value: number) => keepMeta('device_seq', value)
const newerPage = () =>
  new Promise<globalThis.IDBDatabase>((resolve) => {
    const opening = indexedDB.open('comptoir', 99)
    opening.addEventListener('success', () => resolve(opening.result))
  })

describe('transact', () => {
  it('answers what the work does, once it is on the disk', async () => {
    expect(await transact(['meta'], 'readwrite', (tx) => tx.store.put(1, 'device_seq'))).toBe('device_seq')
    expect(await metaOf('device_seq')).toBe(1)
  })

  it('writes nothing of what fails, and passes the failure on', async () => {
    await put(1)
    const failure = new Error('no')
    const failing = transact(['meta'], 'readwrite', async (tx) => {
      await tx.store.put(2, 'device_seq')
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    expect(await metaOf('device_seq')).toBe(1)
  })

  it('fails where the transaction fails after the work', async () => {
    const failing = transact(['meta'], 'readwrite', async (tx) => {
      await tx.store.put(2, 'device_seq')
      tx.abort()
    })
    await expect(failing).rejects.toMatchObject({ name: 'AbortError' })
    expect(await metaOf('device_seq')).toBeNull()
  })

  it('asks for the durability that it is told', async () => {
    await put(1)
    const asked: unknown[] = []
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...of: Parameters<IDBDatabase['transaction']>
    ) {
      asked.push(of[2])
      return transaction.apply(this, of)
    })
    await metaOf('device_seq')
    await transact(['meta'], 'readonly', () => Promise.resolve(), 'strict')
    expect(asked).toEqual([{ durability: 'default' }, { durability: 'strict' }])
  })

  it('tries once with a new connection where the browser had closed it, and passes any other trouble on', async () => {
    await put(1)
    const closed = () => {
      throw new DOMException('closed', 'InvalidStateError')
    }
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(closed)
    expect(await metaOf('device_seq')).toBe(1)
    spy.mockImplementationOnce(closed).mockImplementationOnce(closed)
    await expect(metaOf('device_seq')).rejects.toMatchObject({ name: 'InvalidStateError' })
    const missing = transact(['nowhere'] as never, 'readonly', () => Promise.resolve())
    await expect(missing).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  it('opens the store once for all that is asked at once', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open')
    await Promise.all([metaOf('device_seq'), metaOf('device_id'), metaOf('session')])
    expect(open).toHaveBeenCalledOnce()
  })

  it('tries to open again after a failure', async () => {
    const spy = vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('no store', 'UnknownError')
    })
    await expect(metaOf('device_seq')).rejects.toThrow('no store')
    expect(await metaOf('device_seq')).toBeNull()
    expect(spy).toHaveBeenCalledTimes(2)
    expect(storeTrouble()).toBeNull()
  })
})

it('the device store keeps what waits in one of an earlier version, and finds it by its copy', async () => {
  await closeStore()
  globalThis.indexedDB = new IDBFactory()
  const opening = indexedDB.open('comptoir', 2)
  opening.addEventListener('upgradeneeded', () => {
    const outbox = opening.result.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
    for (const name of ['id', 'state', 'settled_at']) outbox.createIndex(name, name)
    for (const name of ['copies_a', 'copies_b']) opening.result.createObjectStore(name, { keyPath: 'id' })
    outbox.add({ id: 'a', state: 'queued', settled_at: null, copy_id: 7, bar_code: null, beneficiary_id: 3 })
  })
  await new Promise((resolve) => opening.addEventListener('success', resolve))
  opening.result.close()
  const found = await transact(['outbox'], 'readonly', (tx) =>
    Promise.all([tx.store.index('copy_id').get(7), tx.store.index('beneficiary_id').get(3)]),
  )
  expect(found.map((entry) => entry?.id)).toEqual(['a', 'a'])
})

describe('storeTrouble', () => {
  it('says that a newer version changed the store, once to each who watches, and is over when it can be read', async () => {
    await put(1)
    const heard: unknown[] = []
    const stop = watchStoreTrouble(() => heard.push(storeTrouble()))
    const newer = await newerPage()
    await expect.poll(() => heard).toEqual(['outdated'])
    for (const _ of [1, 2]) await expect(metaOf('device_seq')).rejects.toBeInstanceOf(StoreOutdatedError)
    expect(heard).toEqual(['outdated'])
    newer.close()
    globalThis.indexedDB = new IDBFactory()
    await put(1)
    expect(heard).toEqual(['outdated', null])
    stop()
    const again = await newerPage()
    again.close()
    await expect(metaOf('device_seq')).rejects.toBeInstanceOf(StoreOutdatedError)
    expect(heard).toHaveLength(2)
    globalThis.indexedDB = new IDBFactory()
    await put(1)
  })
})

it('closeStore lets the store be opened anew, also where it could not be opened', async () => {
  await put(1)
  await closeStore()
  await closeStore()
  expect(await metaOf('device_seq')).toBe(1)
  await closeStore()
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
    throw new DOMException('no store', 'UnknownError')
  })
  const failing = metaOf('device_seq')
  await closeStore()
  await expect(failing).rejects.toThrow('no store')
})

it.each([
  [new DOMException('', 'AbortError'), 'AbortError'],
  [{ name: 7 }, '7'],
  [{}, ''],
  [null, ''],
  ['AbortError', ''],
  [undefined, ''],
])('nameOf %o is « %s »', (error, name) => expect(nameOf(error)).toBe(name))

it('snapshotStoresOf names the four stores of a side', () => {
  expect(snapshotStoresOf('b')).toEqual(['copies_b', 'beneficiaries_b', 'loanings_b', 'reservations_b'])
})
