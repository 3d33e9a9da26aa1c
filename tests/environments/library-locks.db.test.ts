import { sql } from 'kysely'
import { expect, it } from 'vitest'

import type { Db, Trx } from '../../src/server/db/handles.ts'
import { claimNewKey } from '../../src/server/http/idempotency.ts'
import { type LibraryLock, lockInLibrary } from '../../src/server/db/library-lock.ts'
import { testEngine } from '../support/databases.ts'
import { describeTwoLibraries } from './two-libraries.ts'

const locks: readonly LibraryLock[] = [
  'devices',
  'matricules',
  'reader number',
  'reference code',
  'bar code',
  'queue',
  'sync',
]

describeTwoLibraries('what a transaction holds', (two) => {
  const [one, other] = [() => two.environments[0].db, () => two.environments[1].db]

  /** Fails instead of waiting. */
  const without = <T>(db: Db, act: (trx: Trx) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '200ms'`.execute(trx)
      return act(trx)
    })
  const holding = (act: () => Promise<void>): Promise<void> =>
    one()
      .transaction()
      .execute(async (trx) => {
        for (const what of locks) await lockInLibrary(trx, what, 1)
        expect(await claim(trx)).toEqual([true])
        await act()
      })

  it('is its library’s alone', async () => {
    await holding(() =>
      without(other(), async (trx) => {
        for (const what of locks) await lockInLibrary(trx, what, 1)
        await reserve(trx)
        expect(await claim(trx)).toEqual([true])
        await claimAsNew(trx)
      }),
    )
  })

  // The embedded engine has one transaction at a time.
  it.skipIf(testEngine === 'embedded')('keeps others of its library out, one by one', async () => {
    await holding(async () => {
      for (const what of locks) {
        await expect(without(one(), (trx) => lockInLibrary(trx, what, 1))).rejects.toThrow('lock timeout')
        await without(one(), (trx) => lockInLibrary(trx, what, 2))
      }
      // The trigger that keeps places in a queue takes the same.
      await expect(without(one(), reserve)).rejects.toThrow('lock timeout')
      // A key that is claimed is not waited for.
      expect(await without(one(), claim)).toEqual([false])
      await expect(without(one(), claimAsNew)).rejects.toThrow('this key is not new')
    })
    await without(one(), reserve)
  })
})

const request = {
  key: '00000000-0000-4000-8000-000000000066',
  endpoint: 'loanings.lend',
  hash: Buffer.alloc(32),
}

async function claim(trx: Trx): Promise<boolean[]> {
  const { rows } = await sql<{ locked: boolean }>`
    select locked from claim_key(${request.key}::uuid)`.execute(trx)
  return rows.map(({ locked }) => locked)
}

const claimAsNew = (trx: Trx) => claimNewKey(request).execute(trx)

const reserve = (trx: Trx) =>
  sql`insert into reservations (beneficiary_id, reference_id, site, status) values (1, 1, 1, 'waiting')`.execute(
    trx,
  )
