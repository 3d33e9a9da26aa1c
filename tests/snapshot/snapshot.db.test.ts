import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { newDevice, refresh, rowsOf, untilQuiet } from './device.ts'

describeServer('snapshot: full, then changes', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await biblio.post('/api/loanings', { beneficiary: 2, relative: 1, copy: 2 })
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 4, reference_id: 2, queue_position: 1 })
      .execute()
  })

  it('holds what lending needs, on one page when it is small', async () => {
    const device = newDevice()
    const pages = await refresh(biblio, device)
    expect(pages).toMatchObject([
      { complete: true, reset: true, total: 21, server_time: server.now.toISOString() },
    ])
    expect(rowsOf(pages)).toBe(21)
    expect(device.copies.get(2)).toEqual({
      id: 2,
      bar_code: '1002',
      name: 'Livre numéro 2',
      reference: 2,
      medium: 1,
      status: 'En Location',
      state: 'VERY_GOOD',
      site: 1,
      price: '0.25',
      type: 'Location',
      cycle_type: null,
      cycle_value: null,
      deleted: false,
    })
    expect(device.beneficiaries.get(2)).toMatchObject({
      matricule: 'M2',
      reader_id: 'R2',
      contract_type: 'CDD',
      relatives: [{ id: 1, name: 'Zoé Dupont', reader_id: 'R2A' }],
    })
    expect([...device.loanings.values()]).toMatchObject([
      {
        beneficiary: 2,
        relative: 1,
        copy: 2,
        copy_barcode: '1002',
        reference_name: 'Livre numéro 2',
        end_date: '2026-03-31',
      },
    ])
    expect([...device.reservations.values()]).toMatchObject([
      { beneficiary_id: 4, beneficiary_info: 'M4 - Sans-Courriel Jean', reference_id: 2, queue_position: 1 },
    ])
    expect(device.settings?.media).toHaveLength(3)
    expect(device.settings?.reasons).toHaveLength(5)
    expect(device.settings?.parameters).toMatchObject({
      timezone: 'Europe/Paris',
      fast_input: '1',
      longest_loan_days: '366',
      earliest_start_days: '30',
      latest_start_days: '90',
      counter_copy_wait_seconds: '60',
      counter_reader_idle_seconds: '90',
      counter_reader_forget_seconds: '180',
    })
    // Contacts stay on the server.
    expect(JSON.stringify(pages)).not.toContain('@exemple.fr')
  })

  it('then tells only what changed, with what left', async () => {
    const device = newDevice()
    await untilQuiet(server)
    await refresh(biblio, device)
    expect(rowsOf(await refresh(biblio, device))).toBe(0)

    await biblio.post('/api/loanings', { beneficiary: 1, copy: 5 })
    await biblio.post('/api/loanings/return', { bar_code: '1002' })
    await server.db
      .updateTable('copies')
      .set({ deleted_at: server.now.toISOString() })
      .where('id', '=', 9)
      .execute()
    await server.db
      .updateTable('beneficiaries')
      .set({ deleted_at: server.now.toISOString() })
      .where('id', '=', 3)
      .execute()
    await biblio.put('/api/relatives/1', { number: 'R2B' })
    await server.db.updateTable('reservations').set({ status: 'canceled' }).execute()

    const pages = await refresh(biblio, device)
    expect(pages).toMatchObject([{ reset: false, complete: true }])
    expect(pages[0]?.copies.map(({ id }) => id)).toEqual([2, 5, 9])
    expect(pages[0]?.beneficiaries.map(({ id }) => id)).toEqual([2, 3])
    expect(JSON.stringify(pages[0])).not.toContain('Noémie')
    expect(device.copies.get(5)?.status).toBe('En Location')
    expect(device.copies.get(2)?.status).toBe('Disponible')
    expect(device.copies.has(9)).toBe(false)
    expect(device.beneficiaries.has(3)).toBe(false)
    expect(device.beneficiaries.get(2)?.relatives).toMatchObject([{ reader_id: 'R2B' }])
    expect([...device.loanings.values()].map(({ copy }) => copy)).toEqual([5])
    expect(device.reservations.size).toBe(0)
    await untilQuiet(server)
    await refresh(biblio, device)
    expect(rowsOf(await refresh(biblio, device))).toBe(0)
  })

  it('sends a loan that is undone, cancelled or deleted as closed', async () => {
    const device = newDevice()
    const lent = [6, 7, 8].map((copy) => biblio.post('/api/loanings', { beneficiary: 2, copy }))
    const [first, second, third] = (await Promise.all(lent)).map(({ body }) => body.id as number)
    await refresh(biblio, device)
    expect(device.loanings.size).toBe(4)
    await biblio.post(`/api/loanings/${first}/undo`)
    await biblio.post(`/api/loanings/${second}/cancel`)
    await biblio.delete(`/api/loanings/${third}`)
    await refresh(biblio, device)
    expect([...device.loanings.values()].map(({ copy }) => copy)).toEqual([5])
  })

  it('sends copies and loans again when their reference is renamed, reservations when their reader is', async () => {
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 4, reference_id: 11, queue_position: 1 })
      .execute()
    const device = newDevice()
    await untilQuiet(server)
    await refresh(biblio, device)
    await server.db
      .updateTable('references')
      .set({ name: 'Germinal', medium: 2 })
      .where('id', '=', 5)
      .execute()
    await biblio.put('/api/beneficiaries/4', { lastname: 'Avec-Courriel' })
    const [page] = await refresh(biblio, device)
    expect(page?.copies).toMatchObject([{ id: 5, name: 'Germinal', medium: 2, status: 'En Location' }])
    expect(page?.loanings).toMatchObject([{ copy: 5, reference_name: 'Germinal', medium: 2, closed: false }])
    expect(page?.reservations).toMatchObject([{ beneficiary_info: 'M4 - Avec-Courriel Jean', closed: false }])
  })

  it('tells the settings again with each pass', async () => {
    const device = newDevice()
    await refresh(biblio, device)
    await server.db.updateTable('media').set({ max_loaning: 9 }).where('id', '=', 1).execute()
    await setParameter(server, 'delay_days_number_before_penalize', '4')
    await refresh(biblio, device)
    expect(device.settings?.media.find(({ id }) => id === 1)?.max_loaning).toBe(9)
    expect(device.settings?.parameters['delay_days_number_before_penalize']).toBe('4')
  })

  it('holds one site’s copies, and the loans of every site: they count in a reader’s limits', async () => {
    const centre = newDevice()
    const annexe = newDevice()
    const lent = { beneficiary: 2, copy: 11, despite_reservations: true }
    expect((await biblio.post('/api/loanings', lent, { site: 1 })).status).toBe(201)
    await refresh(biblio, centre, 1)
    await refresh(biblio, annexe, 2)
    expect([...annexe.copies.values()].map(({ bar_code }) => bar_code)).toEqual([
      '2001',
      '2002',
      '2003',
      '2004',
      '2005',
    ])
    expect([...centre.loanings.values()].map(({ copy }) => copy).sort()).toEqual([11, 5])
    expect([...annexe.loanings.values()].map(({ copy }) => copy).sort()).toEqual([11, 5])
    expect(annexe.pages[0]?.total).toBe(rowsOf(annexe.pages))
    expect(annexe.copies.get(11)?.status).toBe('En Location')
    expect([...annexe.loanings.values()].find(({ copy }) => copy === 5)).toMatchObject({
      copy_barcode: '1005',
      medium: 2,
    })

    // A copy that moves leaves one device and comes to the other.
    await server.db.updateTable('copies').set({ site: 2 }).where('id', '=', 1).execute()
    await refresh(biblio, centre, 1)
    await refresh(biblio, annexe, 2)
    expect(centre.copies.has(1)).toBe(false)
    expect(annexe.copies.has(1)).toBe(true)
  })

  it('keeps to the agency’s beneficiaries when the library works by site', async () => {
    const device = newDevice()
    await untilQuiet(server)
    await refresh(biblio, device, 2)
    expect(device.beneficiaries.size).toBe(3)
    await setParameter(server, 'by_site_beneficiaries', '1')
    const pages = await refresh(biblio, device, 2)
    expect(pages[0]?.reset).toBe(true)
    expect([...device.beneficiaries.keys()]).toEqual([4])
    await biblio.put('/api/beneficiaries/4', { agency_id: 1 })
    await biblio.put('/api/beneficiaries/2', { agency_id: null })
    const [page] = await refresh(biblio, device, 2)
    expect(page?.reset).toBe(false)
    expect(device.beneficiaries.size).toBe(0)
    expect(JSON.stringify(page)).not.toContain('Dupont')
    await setParameter(server, 'by_site_beneficiaries', '0')
  })

  it('then holds their loans wherever they were made, and those of its own copies', async () => {
    await setParameter(server, 'by_site_beneficiaries', '1')
    await biblio.put('/api/beneficiaries/4', { agency_id: 2 })
    await biblio.post('/api/loanings', { beneficiary: 4, copy: 7 }, { site: 1 })
    await biblio.post('/api/loanings', { beneficiary: 1, copy: 8 }, { site: 1 })
    const device = newDevice()
    await refresh(biblio, device, 2)
    const held = () => [...device.loanings.values()].map(({ beneficiary, copy }) => [beneficiary, copy])
    expect(held().sort()).toEqual([
      [2, 11],
      [4, 7],
    ])
    expect(device.pages[0]?.total).toBe(rowsOf(device.pages))

    // A reader who changes agency brings the loans along, and takes them away.
    await biblio.put('/api/beneficiaries/1', { agency_id: 2 })
    await biblio.put('/api/beneficiaries/4', { agency_id: 1 })
    await refresh(biblio, device, 2)
    expect(
      held()
        .map(([, copy]) => copy)
        .sort(),
    ).toEqual([11, 5, 8])
    await biblio.put('/api/beneficiaries/1', { agency_id: 1 })
    await setParameter(server, 'by_site_beneficiaries', '0')
  })

  it('starts again from a cursor that it cannot go on from', async () => {
    const device = newDevice()
    await refresh(biblio, device)
    const good = device.cursor
    const foreign = newDevice()
    await refresh(biblio, foreign, 1)
    const ahead = good?.replace(/^4~(\w+)~\w+/, '4~$1~zzzzzz')
    for (const cursor of [
      '',
      'n’importe quoi',
      'a'.repeat(200),
      foreign.cursor,
      ahead,
      good?.replace('~', '~~'),
    ]) {
      device.cursor = cursor ?? null
      const [page] = await refresh(biblio, device)
      expect([cursor, page?.reset]).toEqual([cursor, true])
      expect(page?.copies.length).toBeGreaterThan(0)
    }
    device.cursor = good
    expect((await refresh(biblio, device))[0]?.reset).toBe(false)
    expect((await biblio.get(`/api/snapshot?since=${'a'.repeat(201)}`)).status).toBe(400)
  })

  it('starts again when the database went back to a backup and lived on', async () => {
    const device = newDevice()
    await biblio.put('/api/beneficiaries/1', { message: 'Après la sauvegarde' })
    await refresh(biblio, device)
    // What a backup undoes: the last line of the journal is another one's.
    await sql`delete from audit_journal where id = (select max(id) from audit_journal)`.execute(server.db)
    await biblio.put('/api/beneficiaries/1', { message: 'Une autre vie' })
    expect((await refresh(biblio, device))[0]?.reset).toBe(true)
  })

  it('opens to a person the sites that are theirs', async () => {
    const user = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'benevole')
      .executeTakeFirstOrThrow()
    await server.db.insertInto('user_sites').values({ user_id: user.id, site: 2 }).execute()
    const benevole = await server.as('benevole')
    expect((await benevole.get('/api/snapshot?site=1')).body).toMatchObject({
      code: 403,
      reason: 'SITE_CLOSED',
    })
    const device = newDevice()
    await refresh(benevole, device)
    expect([...new Set([...device.copies.values()].map(({ site }) => site))]).toEqual([2])
    const open = await server.db
      .selectFrom('loanings')
      .select('copy')
      .where('status', '=', 'in_progress')
      .orderBy('id')
      .execute()
    expect([...device.loanings.values()].sort((a, b) => a.id - b.id).map(({ copy }) => copy)).toEqual(
      open.map(({ copy }) => copy),
    )
    expect((await biblio.get('/api/snapshot?site=99')).status).toBe(404)
    expect((await biblio.get('/api/snapshot?site=abc')).status).toBe(400)
    expect((await (await server.as('lecture')).get('/api/snapshot')).status).toBe(403)
  })
})
