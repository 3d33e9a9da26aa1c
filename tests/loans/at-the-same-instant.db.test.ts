import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { testEngine } from '../support/databases.ts'
import { wrongTallies } from '../support/loan-tallies.ts'
import { type Answer, type Client, describeServer, type TestServer } from '../support/test-server.ts'

const copy = 1
const bar_code = '1001'

type Gesture = (client: Client, loan: number) => Promise<Answer>

/** What a counter may do to a copy, or to its last loan. */
const gestures = {
  'lend to A': (client) => client.post('/api/loanings', { beneficiary: 1, copy }),
  'lend to B': (client) => client.post('/api/loanings', { beneficiary: 2, copy }),
  'return by bar code': (client) => client.post('/api/loanings/return', { bar_code }),
  'return the loan': (client, loan) => client.post(`/api/loanings/${loan}/return`, { state: 'GOOD' }),
  extend: (client, loan) => client.post(`/api/loanings/${loan}/extend`, { duration_value: 1 }),
  cancel: (client, loan) => client.post(`/api/loanings/${loan}/cancel`),
  delete: (client, loan) => client.delete(`/api/loanings/${loan}`),
  undo: (client, loan) => client.post(`/api/loanings/${loan}/undo`),
} satisfies Record<string, Gesture>
type Name = keyof typeof gestures
const names = Object.keys(gestures) as Name[]

const startingPoints = {
  'on loan': async (client) => {
    await client.post('/api/loanings', { beneficiary: 1, copy })
  },
  returned: async (client) => {
    await client.post('/api/loanings', { beneficiary: 1, copy })
    await client.post('/api/loanings/return', { bar_code })
  },
} satisfies Record<string, (client: Client) => Promise<void>>

const pairs = names.flatMap((first, n) => names.slice(n).map((second) => [first, second] as const))

async function clear({ db }: TestServer): Promise<void> {
  await sql`delete from loanings`.execute(db)
  await sql`update copies set status = 'Disponible', state = 'VERY_GOOD'`.execute(db)
}

const lastLoan = async ({ db }: TestServer) =>
  (
    await db
      .selectFrom('loanings')
      .select('id')
      .where('copy', '=', copy)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.id ?? 0

/** Whatever happened, a copy is out only with one open loan, and the totals are true. */
async function expectSound({ db }: TestServer, told: string): Promise<void> {
  const { rows } = await sql<{ bar_code: string; status: string; open: number }>`
    select c.bar_code, c.status, count(l.id) filter (where l.status = 'in_progress') as open
    from copies c left join loanings l on l.copy = c.id group by c.id
    having (c.status = 'En Location')::int <> count(l.id) filter (where l.status = 'in_progress')`.execute(db)
  expect({ told, rows, wrong: await wrongTallies(db) }).toEqual({ told, rows: [], wrong: [] })
}

const tell = (answers: Answer[]) =>
  answers.map(({ status, body }) => `${status} ${body?.reason ?? ''}`).join(', ')

function expectAnswers(answers: Answer[], told: string): void {
  const surprises = answers.filter(({ status }) => ![200, 201, 204, 404, 409, 422].includes(status))
  expect({ told, surprises }).toEqual({ told, surprises: [] })
}

describeServer('gestures at the same instant', (server) => {
  let clients: [Client, Client]
  beforeAll(async () => {
    // One person at two counters: else nobody could undo what the other did.
    clients = [await server.as('biblio'), await server.as('biblio')]
  })

  // One embedded engine runs one transaction at a time: there is nothing to race.
  describe.skipIf(testEngine === 'embedded')('on one copy (PostgreSQL only)', () => {
    describe.each(Object.entries(startingPoints))('%s', (_, prepare) => {
      it.each(pairs)('%s + %s', async (first, second) => {
        for (const [one, other] of [
          [first, second],
          [second, first],
        ] as const) {
          await clear(server)
          await prepare(clients[0])
          const loan = await lastLoan(server)
          const answers = await Promise.all([
            gestures[one](clients[0], loan),
            gestures[other](clients[1], loan),
          ])
          const told = `${one} + ${other}: ${tell(answers)}`
          expectAnswers(answers, told)
          await expectSound(server, told)
        }
      })
    })

    it('lets one of two lends, returns, cancels or undoes win', async () => {
      const cases = [
        ['returned', 'lend to A', 'lend to B', 201],
        ['on loan', 'return the loan', 'return by bar code', 200],
        ['on loan', 'cancel', 'return the loan', 200],
        ['on loan', 'undo', 'cancel', 200],
        ['returned', 'undo', 'lend to B', null],
      ] as const
      for (const [from, one, other, won] of cases) {
        await clear(server)
        await startingPoints[from](clients[0])
        const loan = await lastLoan(server)
        const answers = await Promise.all([
          gestures[one](clients[0], loan),
          gestures[other](clients[1], loan),
        ])
        const wins = answers.filter(({ status }) => status < 300)
        expect([`${one} + ${other}: ${tell(answers)}`, wins.length]).toEqual([expect.any(String), 1])
        if (won) expect(wins[0]?.status).toBe(won)
      }
    })

    it('stays sound through 40 random pairs', async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
      process.stdout.write(`gestures at the same instant: SEED=${seed}\n`)
      const random = randomOf(seed)
      const pick = () => names[Math.floor(random() * names.length)] ?? 'undo'
      await clear(server)
      const story: string[] = []
      for (let n = 0; n < 40; n += 1) {
        const [one, other, loan] = [pick(), pick(), await lastLoan(server)]
        const answers = await Promise.all([
          gestures[one](clients[0], loan),
          gestures[other](clients[1], loan),
        ])
        story.push(`${n}. ${one} + ${other}: ${tell(answers)}`)
        const told = `SEED=${seed}\n${story.join('\n')}`
        expectAnswers(answers, told)
        await expectSound(server, told)
      }
    })
  })
})

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
