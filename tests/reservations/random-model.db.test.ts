import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { randomOf } from '../faults/random.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'

// Readers, copies, days and closures of one title at random, through the real router, beside a model of a page
// that says what every answer must be: the queue, the days, and who may borrow.

const seeds = process.env['RESERVATION_SEED']
  ? [Number(process.env['RESERVATION_SEED'])]
  : [1, 2, Math.floor(Math.random() * 1e9)]
const steps = Number(process.env['RESERVATION_STEPS'] ?? (testEngine === 'postgres' ? 120 : 60))

const readers = [1, 2, 4, 5, 6, 7, 8]
const copies = [1, 90, 91]
const dayMs = 86_400_000

type Status = 'waiting' | 'confirmed' | 'canceled' | 'refused'
type Held = {
  id: number
  reader: number
  wish: number | null
  start: string | null
  end: string | null
  status: Status
  kept: number | null
  /** Its place among those who joined the queue; greater is later. */
  joined: number
  served: boolean
  removed: boolean
}
type Lent = { id: number; copy: number; reader: number; start: string; end: string }

const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
const meet = (a: [string, string], b: [string, string]): boolean => a[0] <= b[1] && b[0] <= a[1]
const may: Record<Status, readonly Status[]> = {
  waiting: ['confirmed', 'refused', 'canceled'],
  confirmed: ['waiting', 'canceled', 'refused'],
  canceled: ['waiting'],
  refused: ['waiting'],
}

/** What is so, told without the product's own rules. */
class Model {
  today = testNow.slice(0, 10)
  held: Held[] = []
  lent: Lent[] = []
  closed = new Set<string>()
  joins = 0

  active = () => this.held.filter(({ status, served, removed }) => isOpen({ status, served, removed }))
  queue = () =>
    this.active()
      .filter(({ status, start }) => status === 'waiting' && start === null)
      .sort((a, b) => a.joined - b.joined)
  openDay = (day: string): string => (this.closed.has(day) ? this.openDay(plus(day, 1)) : day)
  due = () => this.openDay(plus(this.today, 21))
  isIn = (copy: number) => !this.lent.some((loan) => loan.copy === copy)
  keeperOf = (copy: number) => this.active().find(({ kept }) => kept === copy)
  isServable = (one: Held, copy: number) => (one.kept ?? one.wish ?? copy) === copy

  mayReserve(asked: Pick<Held, 'reader' | 'wish' | 'start' | 'end'>, but?: Held): boolean {
    const others = this.active().filter((one) => one !== but)
    if (others.some(({ reader }) => reader === asked.reader)) return false
    if (asked.start === null || asked.end === null) return true
    if (asked.end < this.today) return false
    const days: [string, string] = [asked.start, asked.end]
    const dated = others.filter((one) => one.start !== null && meet([one.start, one.end!], days))
    if (asked.wish !== null && dated.some(({ wish }) => wish === asked.wish)) return false
    const out = this.lent.filter((loan) =>
      meet([loan.start, loan.end > this.today ? loan.end : this.today], days),
    )
    const all = [
      ...dated.map(({ start, end }) => ({ start: start!, end: end! })),
      ...out.map(({ start, end }) => ({ start, end: end > this.today ? end : this.today })),
    ]
    for (let day = asked.start; day <= asked.end; day = plus(day, 1)) {
      if (all.filter(({ start, end }) => start <= day && day <= end).length >= copies.length) return false
    }
    return true
  }

  /** The reader's own that a loan of any copy serves, or undefined. */
  own(reader: number): Held | undefined {
    const days: [string, string] = [this.today, this.due()]
    return this.active().find(
      (one) => one.reader === reader && (one.start === null || meet([one.start, one.end!], days)),
    )
  }

  mayBorrow(reader: number, copy: number): boolean {
    const own = this.own(reader)
    const queue = this.queue()
    const isPromised = own !== undefined && (own.status === 'confirmed' || own.start !== null)
    return !this.active().some((one) => {
      if (one.reader === reader || !this.isServable(one, copy)) return false
      if (one.start !== null) {
        if (!meet([one.start, one.end!], [this.today, this.due()])) return false
        return one.wish !== null || one.kept !== null || this.isShortFor(one, reader, copy)
      }
      if (one.kept === copy) return true
      if (isPromised) return false
      if (one.status === 'confirmed' || !own) return true
      return queue.indexOf(one) < queue.indexOf(own)
    })
  }

  /** Whether a day of it is left without a copy once this one is lent, counting who has or was promised one. */
  isShortFor(one: Held, reader: number, copy: number): boolean {
    const first = one.start! > this.today ? one.start! : this.today
    const last = one.end! < this.due() ? one.end! : this.due()
    for (let day = first; day <= last; day = plus(day, 1)) {
      const out = this.lent.filter(
        (loan) =>
          loan.copy !== copy && loan.start <= day && day <= (loan.end > this.today ? loan.end : this.today),
      )
      const meant = this.active().filter(
        ({ reader: other, start, end, status }) =>
          other !== reader && (start === null ? status === 'confirmed' : start <= day && day <= end!),
      )
      if (out.length + meant.length + 1 > copies.length) return true
    }
    return false
  }

  next(copy: number): Held | undefined {
    const able = this.active().filter((one) => this.isServable(one, copy))
    const soon = able
      .filter(({ start, end, kept }) => {
        return start !== null && kept === null && start <= plus(this.today, 7) && (end ?? '') >= this.today
      })
      .sort((a, b) => (a.start! < b.start! ? -1 : a.start! > b.start! ? 1 : 0))
    return (
      able.find(({ kept }) => kept === copy) ??
      soon[0] ??
      able.find(({ status, start, kept }) => status === 'confirmed' && start === null && kept === null) ??
      this.queue().find((one) => this.isServable(one, copy))
    )
  }
}

const isOpen = ({ status, served, removed }: Pick<Held, 'status' | 'served' | 'removed'>) =>
  (status === 'waiting' || status === 'confirmed') && !served && !removed

describeServer('one title, at random', (server) => {
  let biblio: Client
  let admin: Client
  beforeAll(async () => {
    await setParameter(server, 'multiple_reservations', '0')
    await setParameter(server, 'reservations_without_dates', '1')
    await sql`update media set max_loaning = null, max_late = null where id = 1`.execute(server.db)
    await sql`insert into beneficiaries (matricule, lastname) select 'N' || n, 'Numéro ' || n from generate_series(5, 8) n`.execute(
      server.db,
    )
    await sql`insert into copies (id, reference, bar_code, site) overriding system value values (90, 1, '1990', 1), (91, 1, '1991', 1)`.execute(
      server.db,
    )
  })
  const signIn = async () => {
    biblio = await server.as('biblio')
    admin = await server.as('admin')
  }
  const reserve = (asked: Pick<Held, 'reader' | 'wish' | 'start' | 'end'>) =>
    biblio.post('/api/reservations', {
      beneficiary_id: asked.reader,
      reference_id: 1,
      copy_id: asked.wish,
      start_date: asked.start,
      end_date: asked.end,
      site: 1,
    })
  const set = (id: number, body: object) => biblio.put(`/api/reservations/${id}`, body)
  const lend = (reader: number, copy: number) =>
    biblio.post('/api/loanings', { beneficiary: reader, copy, despite_reservations: false }, { site: 1 })

  /** What the database holds is what the model holds, to each place of the queue. */
  const expectSame = async (model: Model) => {
    const { rows } = await sql<{ id: number; status: string; place: number | null; kept: number | null }>`
      select id, status, queue_position as place, set_aside_copy as kept from reservations
      where deleted_at is null and fulfilled_by is null order by id`.execute(server.db)
    const queue = model.queue()
    const expected = model.held
      .filter(({ served, removed }) => !served && !removed)
      .map((one) => ({
        id: one.id,
        status: one.status,
        place: queue.includes(one) ? queue.indexOf(one) + 1 : null,
        kept: one.kept,
      }))
    expect(rows).toEqual(expected)
    const kept = rows.flatMap((row) => row.kept ?? [])
    expect(new Set(kept).size).toBe(kept.length)
  }

  async function lendTo(model: Model, reader: number, copy: number): Promise<Answer> {
    const isAllowed = model.mayBorrow(reader, copy)
    const due = model.due()
    const own = model.own(reader)
    const answer = await lend(reader, copy)
    expect([answer.status, answer.body.reason]).toEqual(isAllowed ? [201, undefined] : [409, 'RESERVED'])
    if (!isAllowed) return answer
    expect(answer.body.end_date).toBe(due)
    model.lent.push({ id: answer.body.id, copy, reader, start: model.today, end: due })
    if (own) own.served = true
    return answer
  }

  async function takeBack(model: Model, loan: Lent): Promise<Held | undefined> {
    const answer = await biblio.post(`/api/loanings/${loan.id}/return`, {}, { site: 1 })
    expect(answer.status).toBe(200)
    model.lent = model.lent.filter((one) => one !== loan)
    const next = model.next(loan.copy)
    expect(answer.body.reservation_reference).toBe(next ? 1 : undefined)
    return next
  }

  async function keepFor(model: Model, one: Held, copy: number): Promise<void> {
    const isAllowed =
      model.isIn(copy) &&
      !model.keeperOf(copy) &&
      (one.wish ?? copy) === copy &&
      !one.served &&
      (one.status === 'waiting' || (one.status === 'confirmed' && one.kept === null))
    const answer = await set(one.id, { status: 'confirmed', set_aside_copy: copy })
    expect([answer.status, isAllowed]).toEqual([isAllowed ? 200 : 409, isAllowed])
    if (!isAllowed) return
    one.status = 'confirmed'
    one.kept = copy
    const until = answer.body.pickup_until as string
    expect(model.closed.has(until) && until !== one.end).toBe(false)
  }

  it.each(seeds)('answers what the model says, and serves everybody in their turn: seed %i', async (seed) => {
    const random = randomOf(seed)
    const model = new Model()
    server.moveTo(testNow)
    await sql`truncate loanings, reservations, idempotency_keys, closures restart identity cascade`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible' where reference = 1`.execute(server.db)
    await signIn()
    // The process forgets what it knew of closures when the week is written.
    await admin.put('/api/sites/1', { open_weekdays: [1, 2, 3, 4, 5, 6] })
    await admin.put('/api/sites/1', { open_weekdays: [1, 2, 3, 4, 5, 6, 7] })

    const someone = () => random.oneOf(readers)!
    const anyHeld = () => random.oneOf(model.held.filter(({ removed }) => !removed))
    const acts: [number, () => Promise<void>][] = [
      [
        6,
        async () => {
          const isDated = random.chance(0.4)
          const start = isDated ? plus(model.today, random.between(0, 25)) : null
          const asked = {
            reader: someone(),
            wish: random.chance(0.3) ? random.oneOf(copies)! : null,
            start,
            end: start && plus(start, random.between(0, 6)),
          }
          const isAllowed = model.mayReserve(asked)
          const answer = await reserve(asked)
          expect([answer.status, isAllowed]).toEqual([isAllowed ? 201 : 422, isAllowed])
          if (!isAllowed) return
          const { id } = answer.body
          model.joins += 1
          const rest = { status: 'waiting', kept: null, joined: model.joins, served: false } as const
          model.held.push({ id, ...asked, ...rest, removed: false })
        },
      ],
      [
        4,
        async () => {
          const one = anyHeld()
          const to = random.oneOf(['waiting', 'canceled', 'refused'] as const)!
          if (!one || one.status === to) return
          const isTaken = to === 'waiting' && one.status !== 'confirmed'
          const answer = await set(one.id, { status: to })
          if (one.served || !may[one.status].includes(to)) return expect(answer.status).toBe(409)
          if (isTaken && !model.mayReserve(one, one)) return expect(answer.status).toBe(422)
          expect(answer.status).toBe(200)
          if (isTaken) one.joined = model.joins += 1
          one.status = to
          one.kept = null
        },
      ],
      [
        3,
        async () => {
          const one = anyHeld()
          if (!one || one.status === 'confirmed') return
          const answer = await set(one.id, { status: 'confirmed' })
          if (one.served || one.status !== 'waiting') return expect(answer.status).toBe(409)
          const free = copies.filter(
            (copy) => model.isIn(copy) && !model.keeperOf(copy) && (one.wish ?? copy) === copy,
          )
          const kept = answer.body.set_aside_copy as number | null
          one.status = 'confirmed'
          if (one.start !== null || free.length === 0) return expect(kept).toBeNull()
          expect(free).toContain(kept)
          one.kept = kept
        },
      ],
      [
        3,
        async () => {
          const one = anyHeld()
          if (one) await keepFor(model, one, random.oneOf(copies)!)
        },
      ],
      [
        2,
        async () => {
          const one = random.oneOf(model.active().filter(({ kept }) => kept !== null))
          if (!one) return
          const copy = one.kept!
          one.status = 'canceled'
          one.kept = null
          const next = model.isIn(copy) ? model.next(copy) : undefined
          const { status, body } = await biblio.post(`/api/reservations/${one.id}/pass`, {})
          expect([status, body.next?.id]).toEqual([200, next?.id])
          if (!next) return
          next.status = 'confirmed'
          next.kept = copy
        },
      ],
      [
        1,
        async () => {
          const one = anyHeld()
          if (!one) return
          const { status } = await biblio.delete(`/api/reservations/${one.id}`)
          expect(status).toBe(one.served ? 409 : 204)
          one.removed = !one.served
        },
      ],
      [
        5,
        async () => {
          const copy = random.oneOf(copies.filter(model.isIn))
          const reader = someone()
          if (copy !== undefined) await lendTo(model, reader, copy)
        },
      ],
      [
        3,
        async () => {
          const loan = random.oneOf(model.lent)
          if (!loan) return
          const next = await takeBack(model, loan)
          if (next && random.chance(0.6)) await keepFor(model, next, loan.copy)
        },
      ],
      [
        3,
        async () => {
          model.today = plus(model.today, random.between(1, 4))
          server.moveTo(`${model.today}T09:00:00.000Z`)
          await signIn()
        },
      ],
      [
        1,
        async () => {
          const first_day = plus(model.today, random.between(5, 25))
          const last_day = plus(first_day, random.between(0, 3))
          const closure = { site: null, first_day, last_day, label: 'Fermeture' }
          expect((await admin.post('/api/closures', closure)).status).toBe(201)
          for (let day = first_day; day <= last_day; day = plus(day, 1)) model.closed.add(day)
        },
      ],
    ]
    for (let step = 0; step < steps; step += 1) {
      await random.weighted(acts)()
      await expectSame(model)
    }

    // Nobody is starved: once the days that were reserved are over, everybody who waits is served, in their turn.
    model.today = plus(model.today, 40)
    server.moveTo(`${model.today}T09:00:00.000Z`)
    await signIn()
    for (const loan of model.lent.slice()) await takeBack(model, loan)
    for (const one of model.active().filter(({ start }) => start !== null)) {
      await set(one.id, { status: 'canceled' })
      one.status = 'canceled'
      one.kept = null
    }
    let left = model.active().length
    while (left > 0) {
      for (const copy of copies) {
        const next = model.next(copy)
        if (!next) continue
        const { status } = await lendTo(model, next.reader, copy)
        expect([status, next.served]).toEqual([201, true])
        await takeBack(model, model.lent[0]!)
      }
      await expectSame(model)
      expect(model.active().length).toBeLessThan(left)
      left = model.active().length
    }
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from reservations where queue_position is not null`.execute(server.db)
    expect(rows).toEqual([{ n: 0 }])
  })
})
