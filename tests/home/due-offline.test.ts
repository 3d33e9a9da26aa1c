import { describe, expect, it } from 'vitest'

import type { ListQuery } from '../../src/contract/list.ts'
import type { SnapshotLoan } from '../../src/contract/snapshot.ts'
import { listDueOffline } from '../../src/client/home/due-offline.ts'
import { writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import { freshDevice, record, returning } from '../offline/device.ts'

const today = '2026-03-10'
const everything: ListQuery = {
  page: 1,
  limit: 5000,
  order: [{ field: 'reference_name', direction: 'asc' }],
  filters: [],
}

const loan = (id: number, end_date: string): SnapshotLoan => ({
  id,
  loan_key: null,
  beneficiary: 1,
  relative: null,
  copy: id,
  copy_barcode: String(1000 + id),
  reference: id,
  reference_name: `Livre ${String(id).padStart(5, '0')}`,
  medium: 1,
  start_date: '2026-02-17',
  end_date,
  duration_value: 3,
  duration_type: 'WEEK',
  closed: false,
})

/** Loans 1 to `count`: every third is late, the others are due today. */
const seed = (count: number) =>
  transact(['meta', 'loanings_a'], 'readwrite', async (tx) => {
    const mark = {
      side: 'a',
      environment_id: 1,
      site: 1,
      cursor: 'c',
      asked_at: '2026-03-10T09:00:00.000Z',
    } as const
    await writeMeta(tx.objectStore('meta'), 'snapshot', mark)
    for (let id = 1; id <= count; id++)
      await tx.objectStore('loanings_a').put(loan(id, id % 3 === 0 ? '2026-03-09' : today))
  })

freshDevice()

describe('listDueOffline', () => {
  it.each([0, 1, 499, 500, 501, 1203])('finds each of %i loans once', async (count) => {
    await seed(count)
    const late = await listDueOffline('late', everything, today)
    const due = await listDueOffline('today', everything, today)
    expect([late.total, due.total]).toEqual([Math.floor(count / 3), count - Math.floor(count / 3)])
    const ids = [...late.loans, ...due.loans].map(({ loan_id }) => loan_id)
    expect(new Set(ids).size).toBe(count)
  })

  it('has those of the chosen site, or of all that are open, as the server has on line', async () => {
    const at = (id: number, site: number | null): SnapshotLoan => ({ ...loan(id, today), site })
    const count = async (site: number) => {
      await transact(['meta', 'loanings_a'], 'readwrite', async (tx) => {
        const mark = {
          side: 'a',
          environment_id: 1,
          site,
          cursor: 'c',
          asked_at: '2026-03-10T09:00:00.000Z',
        } as const
        await writeMeta(tx.objectStore('meta'), 'snapshot', mark)
        // The last one is of a site that is closed to the person.
        for (const one of [at(1, 1), at(2, 1), at(3, 2), at(4, null)])
          await tx.objectStore('loanings_a').put(one)
      })
      return (await listDueOffline('today', everything, today)).total
    }
    expect([await count(1), await count(2), await count(0)]).toEqual([2, 1, 3])
  })

  it('says that it knows no categories, rather than the loans of all of them', async () => {
    await seed(3)
    const filters = [{ field: 'category', operator: 'in', value: ['1'] }] as ListQuery['filters']
    await expect(listDueOffline('today', { ...everything, filters }, today)).rejects.toThrow(
      /ne connaît pas les catégories/,
    )
  })

  it('leaves out what was taken back on this device, and pages in the order of titles', async () => {
    await seed(6)
    await record(returning(2))
    const page = { ...everything, limit: 2, page: 2 }
    const { loans, total } = await listDueOffline('today', page, today)
    // 1, 4 and 5 are left.
    expect([total, loans.map(({ loan_id }) => loan_id)]).toEqual([3, [5]])
  })
})
