import { randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import type { Answer } from '../support/test-server.ts'
import type { KeptCall } from './fill-former.ts'

type Desk = {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, options?: { key: string }): Promise<Answer>
}

/** The counter on the morning after an upgrade: nothing that was done is done again, and all of it can be gone on with. */
export async function expectCounterGoesOn(desk: Desk, calls: readonly KeptCall[]): Promise<void> {
  const countLoans = async () => (await desk.get('/api/loanings')).body['hydra:totalItems'] as number
  const post = (path: string, body: unknown, status = 200) => expectAnswer(desk, path, body, status)
  const before = await countLoans()

  for (const { key, body, status, loan } of calls) {
    const again = await desk.post('/api/loanings', body, { key })
    expect([again.status, again.body.id ?? null]).toEqual([status, loan])
  }
  expect(await countLoans()).toBe(before)

  // Copy 7 was lent and cancelled.
  const lent = await post('/api/loanings', { beneficiary: 5, copy: 7 }, 201)
  expect(await post(`/api/loanings/${lent.id}/undo`, { expects: 'lend' })).toMatchObject({
    status: 'cancelled',
  })

  // Loan 3 is late, and stays with its reader when its return is taken back.
  const returned = await post('/api/loanings/3/return', {})
  expect(returned).toMatchObject({
    status: 'finished',
    beneficiary: 1,
    penalty: { total: expect.any(String) },
  })
  expect(await post('/api/loanings/3/undo', { expects: 'return' })).toMatchObject({
    status: 'in_progress',
    penalty: null,
  })
  expect(await post('/api/loanings/1/extend', { duration_value: 1 })).toMatchObject({ duration_value: 4 })

  // What a device of the former version still holds is sent as that version wrote it.
  const { key, body } = calls[2] ?? calls[0] ?? { key: randomUUID(), body: { beneficiary: 4, copy: 1 } }
  const settled = await post('/api/conflicts/settle', {
    resolves: key,
    reason: 'ALREADY_LENT',
    choice: 'CLOSE_AND_LEND',
    action: { endpoint: 'loanings.lend', body },
  })
  expect(settled).toMatchObject({
    is_first: true,
    loaning: { beneficiary: 4, copy: 1, status: 'in_progress' },
  })
  expect(await countLoans()).toBe(before + 2)
}

async function expectAnswer(
  desk: Desk,
  path: string,
  body: unknown,
  status: number,
): Promise<Answer['body']> {
  const answer = await desk.post(path, body, { key: randomUUID() })
  expect([path, answer.status, status < 300 ? null : answer.body]).toEqual([path, status, null])
  return answer.body
}
