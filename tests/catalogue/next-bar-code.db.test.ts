import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { takeNextBarCodes } from '../../src/server/catalogue/next-bar-code.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('the next bar code', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  const number = (site: number, siteCode: string, firstValue: string) =>
    admin.put(`/api/sites/${site}`, { bar_codes_configuration: { siteCode, firstValue } })
  const next = async (site: number) => {
    const { status, body } = await admin.get(`/api/sites/${site}/next_bar_code`)
    expect(status).toBe(200)
    return body.bar_code as string
  }
  const take = async (site: number, count = 1) => {
    const taken = await server.db.transaction().execute((trx) => takeNextBarCodes(trx, site, count))
    if (!taken.ok) throw new Error(taken.refusal.message)
    return taken.answer
  }

  it('joins the site’s code and a number as wide as the first', async () => {
    await number(1, 'C', '0007')
    expect([await next(1), await next(1)]).toEqual(['C0007', 'C0007'])
    await setParameter(server, 'barCodesSiteCodePosition', 'END')
    expect(await next(1)).toBe('0007C')
    await setParameter(server, 'barCodesSiteCodePosition', 'START')
    await number(1, 'C', '99')
    expect(await take(1, 2)).toEqual(['C99', 'C100'])
  })

  it('passes codes of copies, withdrawn ones too, and of what was given', async () => {
    await number(1, 'P', '1')
    await sql`insert into copies (reference, bar_code, site) values (1, 'P1', 1), (1, 'P3', 2)`.execute(
      server.db,
    )
    await sql`update copies set deleted_at = now() where bar_code = 'P3'`.execute(server.db)
    expect(await next(1)).toBe('P2')
    expect(await take(1, 2)).toEqual(['P2', 'P4'])
    expect(await next(1)).toBe('P5')
    expect((await admin.get('/api/sites/1')).body.last_reference).toBe('P4')
    // Numbered otherwise and back, it gives none again.
    await number(1, 'Q', '1')
    expect(await next(1)).toBe('Q1')
    await number(1, 'P', '1')
    expect(await next(1)).toBe('P5')
  })

  it('passes the code of a shelf', async () => {
    await number(1, 'E', '1')
    await admin.post('/api/locations', { label: 'Rayon E', bar_code: 'E1' })
    expect(await next(1)).toBe('E2')
    expect(await take(1)).toEqual(['E2'])
  })

  it('is found past thousands of copies', async () => {
    await number(1, 'M', '00001')
    await sql`insert into copies (reference, bar_code, site)
      select 1, 'M' || lpad(n::text, 5, '0'), 1 from generate_series(1, 3456) n`.execute(server.db)
    expect(await next(1)).toBe('M03457')
  })

  it('is never the same twice, however many ask at once, at one site or at two that number alike', async () => {
    await number(1, 'T', '01')
    await number(2, 'T', '01')
    const taken = await Promise.all(Array.from({ length: 20 }, (_, at) => take(1 + (at % 2), 3)))
    const codes = taken.flat()
    expect(codes).toHaveLength(60)
    expect(new Set(codes).size).toBe(60)
    expect(codes.toSorted()[0]).toBe('T01')
  })

  it('given by what comes to nothing is free again', async () => {
    await number(1, 'V', '1')
    const failing = server.db.transaction().execute(async (trx) => {
      await takeNextBarCodes(trx, 1, 1)
      throw new Error('the copy was refused')
    })
    await expect(failing).rejects.toThrow('the copy was refused')
    expect(await take(1)).toEqual(['V1'])
  })

  it('is none that is on a reader’s card', async () => {
    await number(1, 'R', '1')
    expect(await take(1)).toEqual(['R5'])
  })

  it('shows three of a numbering before it is saved', async () => {
    const sample = async (query: string) => (await admin.get(`/api/bar_codes/sample?${query}`)).body.bar_codes
    await sql`insert into copies (reference, bar_code, site) values (1, 'S02', 1)`.execute(server.db)
    expect(await sample('siteCode=S&firstValue=01')).toEqual(['S01', 'S03', 'S04'])
    await number(2, 'S', '01')
    await take(2)
    expect(await sample('siteCode=S&firstValue=01&site=2')).toEqual(['S03', 'S04', 'S05'])
    expect((await admin.get('/api/bar_codes/sample?siteCode=S&firstValue=x')).status).toBe(400)
  })

  it('is written by hand where numbering is off, of a site that is there, by whoever may', async () => {
    await setParameter(server, 'barCodesIncrement', '0')
    const refused = await admin.get('/api/sites/1/next_bar_code')
    expect(refused).toMatchObject({ status: 409, body: { reason: 'NUMBERED_BY_HAND' } })
    expect(refused.body.message).toContain('écrivez le code à la main')
    await setParameter(server, 'barCodesIncrement', '1')
    expect((await admin.get('/api/sites/99/next_bar_code')).status).toBe(404)
    const lecture = await server.as('lecture')
    expect((await lecture.get('/api/sites/1/next_bar_code')).status).toBe(403)
  })
})
