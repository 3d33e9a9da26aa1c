import { expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('a change of summer time in the library', (server) => {
  /** Lends a DVD (7 days) when it was such an instant off line; answers its days. */
  async function lendAt(client: Client, copy: number, occurred_at: string) {
    const answer = await client.post('/api/loanings', { beneficiary: 1, copy, occurred_at })
    expect(answer.status).toBe(201)
    const { id, start_date, end_date, lent_at } = answer.body as Record<string, string>
    return { id, start_date, end_date, lent_at }
  }

  it.each([
    // 00:30 in Paris on the night that summer begins, then the last half-hour of the day before.
    [11, '2026-03-29T10:00:00Z', '2026-03-28T23:30:00.000Z', '2026-03-29', '2026-04-05'],
    [12, '2026-03-29T10:00:00Z', '2026-03-28T22:30:00.000Z', '2026-03-28', '2026-04-04'],
    // 02:30 happens twice on the night that it ends.
    [13, '2026-10-25T10:00:00Z', '2026-10-25T00:30:00.000Z', '2026-10-25', '2026-11-01'],
    [14, '2026-10-25T10:00:00Z', '2026-10-25T01:30:00.000Z', '2026-10-25', '2026-11-01'],
  ])('keeps the calendar day of copy %i', async (copy, now, occurred_at, start_date, end_date) => {
    server.moveTo(now)
    // A reader has two DVDs at most.
    const client = await server.as('biblio')
    const loan = await lendAt(client, copy, occurred_at)
    expect(loan).toMatchObject({ start_date, end_date, lent_at: occurred_at })
    const back = await client.post('/api/loanings/return', {
      bar_code: String(1990 + copy),
      occurred_at: now,
    })
    expect(back).toMatchObject({ status: 200, body: { status: 'finished', islate: false } })
  })
})
