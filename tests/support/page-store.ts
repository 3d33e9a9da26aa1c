import type { Page } from 'playwright-core'

import type { Entry } from '../../src/offline/entry.ts'

// A page's IndexedDB, read and changed beside the product; functions that run in the page are complete.

/** The outbox as it is on the disk. */
export const readOutbox = (page: Page): Promise<Entry[]> =>
  page.evaluate(async () => {
    const database = await asked(indexedDB.open('comptoir'))
    const entries = await asked(database.transaction('outbox').objectStore('outbox').getAll())
    database.close()
    return entries as Entry[]

    function asked<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('the store refused')))
      })
    }
  })

/** Empties it, as if nothing had been done here. */
export const emptyOutbox = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('comptoir')
        opening.addEventListener('error', () => reject(opening.error ?? new Error('the store refused')))
        opening.addEventListener('success', () => {
          const emptying = opening.result.transaction('outbox', 'readwrite')
          emptying.objectStore('outbox').clear()
          emptying.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
  )

/** One value that the device keeps beside its queue (see device-meta.ts); undefined when it has none. */
export const readMeta = (page: Page, key: string): Promise<unknown> =>
  page.evaluate(async (name) => {
    const database = await asked(indexedDB.open('comptoir'))
    const value = await asked(database.transaction('meta').objectStore('meta').get(name))
    database.close()
    return value as unknown

    function asked<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('the store refused')))
      })
    }
  }, key)

/** Changes the bodies of a copy's entries behind the product's back. */
export const tamperWith = (page: Page, bar_code: string, from: string, to: string): Promise<void> =>
  page.evaluate(
    async (change) => {
      const database = await asked(indexedDB.open('comptoir'))
      const entries = (await asked(database.transaction('outbox').objectStore('outbox').getAll())) as {
        bar_code: string
        frozen_body: string
      }[]
      const outbox = database.transaction('outbox', 'readwrite').objectStore('outbox')
      for (const entry of entries) {
        if (entry.bar_code !== change.bar_code) continue
        await asked(outbox.put({ ...entry, frozen_body: entry.frozen_body.replace(change.from, change.to) }))
      }
      database.close()

      function asked<T>(request: IDBRequest<T>): Promise<T> {
        return new Promise((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error('the store refused')))
        })
      }
    },
    { bar_code, from, to },
  )

/** Opens the store as a much newer version of the product would. */
export const openNewerStore = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('comptoir', 9)
        opening.addEventListener('success', () => {
          opening.result.addEventListener('versionchange', () => opening.result.close())
          resolve()
        })
        opening.addEventListener('error', () => reject(opening.error ?? new Error('the store refused')))
      }),
  )

/** Ids of the copies that are out as far as the device was told. */
export const knownLoans = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const database = await asked(indexedDB.open('comptoir'))
    const { side } = (await asked(database.transaction('meta').objectStore('meta').get('snapshot'))) as {
      side: string
    }
    const name = `loanings_${side}`
    const loans = await asked(database.transaction(name).objectStore(name).getAll())
    database.close()
    return (loans as { copy: number }[]).map(({ copy }) => copy)

    function asked<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('the store refused')))
      })
    }
  })

/** How long the store takes to find each of these bar codes, in milliseconds. */
export const timeLookUps = (page: Page, codes: readonly string[]): Promise<number[]> =>
  page.evaluate(async (wanted) => {
    const database = await asked(indexedDB.open('comptoir'))
    const { side } = (await asked(database.transaction('meta').objectStore('meta').get('snapshot'))) as {
      side: string
    }
    const name = `copies_${side}`
    const times: number[] = []
    for (const code of wanted) {
      const from = performance.now()
      await asked(database.transaction(name).objectStore(name).index('bar_code').get(code))
      times.push(performance.now() - from)
    }
    database.close()
    return times

    function asked<T>(request: IDBRequest<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('the store refused')))
      })
    }
  }, codes)
