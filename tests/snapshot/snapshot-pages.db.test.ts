import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'
import { fetchPage, newDevice, refresh, rowsOf, untilQuiet } from './device.ts'

describeServer('snapshot: many rows, and others at work', (server) => {
  let biblio: Client
  const copies = 5015
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`insert into copies (reference, bar_code, site)
      select 1 + n % 10, 'X' || lpad(n::text, 4, '0'), 1 from generate_series(1, 5000) n`.execute(server.db)
    await sql`insert into beneficiaries (matricule, lastname) select 'N' || n, 'Nom' || n from generate_series(1, 1500) n`.execute(
      server.db,
    )
    await sql`update copies set status = 'En Location' where bar_code between 'X0001' and 'X0700'`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 1, id, 1, '2026-03-01', '2026-03-20', 3, 'WEEK', now(), now() from copies where status = 'En Location'`.execute(
      server.db,
    )
  })

  it('goes over every row once, and says how many there are', async () => {
    const device = newDevice()
    const pages = await refresh(biblio, device)
    expect(pages.length).toBe(4)
    expect(pages.map(({ reset, complete }) => [reset, complete])).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [false, true],
    ])
    expect(pages.map(({ settings }) => settings !== undefined)).toEqual([true, false, false, false])
    expect(pages.map(({ total }) => total)).toEqual(Array.from({ length: 4 }, () => copies + 1504 + 700))
    expect(rowsOf(pages)).toBe(copies + 1504 + 700)
    expect([device.copies.size, device.beneficiaries.size, device.loanings.size]).toEqual([copies, 1504, 700])
  })

  it('misses nothing of what changes between two pages', async () => {
    const device = newDevice()
    await fetchPage(biblio, device)
    await server.db
      .updateTable('copies')
      .set({ status: 'Non Disponible' })
      .where('bar_code', 'in', ['1001', 'X4999'])
      .execute()
    await server.db
      .updateTable('copies')
      .set({ deleted_at: server.now.toISOString() })
      .where('bar_code', '=', '1002')
      .execute()
    await refresh(biblio, device)
    const changes = await refresh(biblio, device)
    expect(changes.some(({ reset }) => reset)).toBe(false)
    const codes = [...device.copies.values()]
      .filter(({ status }) => status === 'Non Disponible')
      .map(({ bar_code }) => bar_code)
    expect(codes).toEqual(['1001', 'X4999'])
    expect(device.copies.has(2)).toBe(false)
  })

  it('pages through many changes too', async () => {
    const device = newDevice()
    await untilQuiet(server)
    await refresh(biblio, device)
    await sql`update "references" set price = 1 where id <= 5`.execute(server.db)
    const pages = await refresh(biblio, device)
    expect(pages.map(({ reset, complete }) => [reset, complete])).toEqual([
      [false, false],
      [false, true],
    ])
    expect([...device.copies.values()].filter(({ price }) => price === '1.00')).toHaveLength(2504)
    await refresh(biblio, device)
    await untilQuiet(server)
    await refresh(biblio, device)
    expect(rowsOf(await refresh(biblio, device))).toBe(0)
  })

  // One embedded engine runs one transaction at a time.
  describe.runIf(process.env['TEST_ENGINE'] === 'postgres')('with a transaction that is not over', () => {
    it('misses neither what commits between two requests nor what commits between two pages', async () => {
      const early = await server.environment.pool.connect()
      const late = await server.environment.pool.connect()
      try {
        const device = newDevice()
        // Begins first, so that its id is below all others, and ends last.
        await early.query('begin')
        await early.query(`update copies set status = 'En transfert' where bar_code = '2001'`)
        await biblio.post('/api/loanings', { beneficiary: 2, copy: 4 })
        await fetchPage(biblio, device)
        await late.query('begin')
        await late.query(`update beneficiaries set message = 'Bientôt' where id = 2`)
        await refresh(biblio, device)
        expect(device.copies.get(11)?.status).toBe('Disponible')
        await late.query('commit')
        await refresh(biblio, device)
        expect(device.beneficiaries.get(2)?.message).toBe('Bientôt')
        expect(device.copies.get(11)?.status).toBe('Disponible')
        await early.query('commit')
        await refresh(biblio, device)
        expect(device.copies.get(11)?.status).toBe('En transfert')
      } finally {
        early.release()
        late.release()
      }
    })

    it('is never left behind by counters that lend and return all the while', async () => {
      const device = newDevice()
      const ids = (
        await server.db.selectFrom('copies').select('id').where('bar_code', '>', 'X4000').execute()
      ).map(({ id }) => id)
      const counting = { isOver: false }
      const counters = [0, 1, 2].map(async (counter) => {
        for (let n = 0; n < 40; n += 1) {
          const copy = ids[counter * 100 + (n % 7)]
          await biblio.post('/api/loanings', { beneficiary: 5 + counter, copy, override_reason: 'Essai' })
          if (n % 3 === 0)
            await biblio.post('/api/loanings/return', {
              bar_code: device.copies.get(copy ?? 0)?.bar_code ?? 'X4001',
            })
        }
      })
      const tablet = (async () => {
        while (!counting.isOver) await fetchPage(biblio, device)
      })()
      await Promise.all(counters)
      counting.isOver = true
      await tablet
      await refresh(biblio, device)
      await refresh(biblio, device)
      const open = await server.db
        .selectFrom('loanings')
        .select(['id', 'copy'])
        .where('status', '=', 'in_progress')
        .execute()
      expect([...device.loanings.keys()].sort((a, b) => a - b)).toEqual(
        open.map(({ id }) => id).sort((a, b) => a - b),
      )
      const lent = [...device.copies.values()]
        .filter(({ status }) => status === 'En Location')
        .map(({ id }) => id)
      expect(lent.sort((a, b) => a - b)).toEqual(open.map(({ copy }) => copy).sort((a, b) => a - b))
    })
  })
})
