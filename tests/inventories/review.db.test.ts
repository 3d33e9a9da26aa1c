import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Finding, Inventory } from '../../src/contract/inventories.ts'
import { runJobs } from '../../src/server/jobs/run-jobs.ts'
import { afterFailures, jobSteps } from '../../src/server/serve.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { openTwoSites } from '../visibility/two-sites.ts'
import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { seedShelves, openInventory, read, scan, scanOf, send } from './counting.ts'

describeServer('the review of an inventory', (server) => {
  let admin: Client
  let biblio: Client
  beforeAll(async () => {
    admin = await server.as('admin', 'appareil-1')
    biblio = await server.as('biblio')
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await seedShelves(server)
  })

  const findings = async (id: number, query = '', client = admin) => {
    const { status, body } = await client.get(`/api/inventories/${id}/findings${query}`)
    expect([status, body.message]).toEqual([200, undefined])
    return body as { 'hydra:member': Finding[]; 'hydra:totalItems': number; groups: Record<string, number> }
  }
  const of = async (id: number, group: string, client = admin) =>
    (await findings(id, `?group=${group}&order[bar_code]=asc`, client))['hydra:member']
  const codes = (rows: Finding[]) => rows.map(({ bar_code }) => bar_code)

  /**
   * 1001 and 1002 are well, 1003 stands on the shelf of 1001, 1004 is lent and on its shelf, 1005 was not to be lent, 1006 was
   * withdrawn, 1007 and 1008 are not there, 1009 is lent and away, 1010 has no place and stands on shelf A.
   */
  const counted = async (): Promise<Inventory> => {
    server.moveTo('2026-02-01T09:00:00.000Z')
    const before = await openInventory(admin, { name: 'Avant' })
    await scan(admin, before.id, ['1007'], { scanned_at: '2026-02-01T09:00:00.000Z' })
    await admin.put(`/api/inventories/${before.id}/status`, { status: 'given_up' })
    for (const [beneficiary, bar_code] of [
      [1, '1004'],
      [2, '1008'],
      [1, '1009'],
    ]) {
      const copy = Number(bar_code) - 1000
      const lent = await admin.post('/api/loanings', { beneficiary, copy, free: true })
      expect(lent.status).toBeLessThan(300)
    }
    await admin.post('/api/loanings/return', { bar_code: '1008' })
    await admin.put('/api/copies/5', { status: 'Non Disponible' })
    await admin.delete('/api/copies/6?reason=usé')
    server.moveTo(testNow)
    const inventory = await openInventory(admin)
    await scan(admin, inventory.id, ['1001', '1002', '1003', '1010'], { location: 1 })
    await scan(admin, inventory.id, ['1004', '1005', '1006', 'SANS', 'SANS'], { note: 'Un carnet' })
    return inventory
  }

  it('has each finding in its group, with what is known of it', async () => {
    const { id } = await counted()
    expect((await findings(id)).groups).toEqual({
      missing: 2,
      misplaced: 2,
      on_shelf: 1,
      found_again: 1,
      withdrawn: 1,
      unknown: 1,
    })
    expect(await of(id, 'missing')).toMatchObject([
      {
        bar_code: '1007',
        name: 'Livre numéro 7',
        medium: 'Livre',
        image_path: null,
        location_label: 'Rayon D',
        last_seen_on: '2026-02-01',
        last_loan_on: null,
        last_borrower: null,
      },
      {
        bar_code: '1008',
        key: '8',
        copy: 8,
        last_seen_on: '2026-02-01',
        last_loan_on: '2026-02-01',
        last_borrower: 'Éric Dupont (M2)',
        scanned_at: null,
        site_name: '',
        action: null,
      },
    ])
    expect(await of(id, 'misplaced')).toMatchObject([
      { bar_code: '1003', location_label: 'Rayon B', seen_location: 1, seen_location_label: 'Rayon A' },
      { bar_code: '1010', location_label: null, seen_location_label: 'Rayon A' },
    ])
    expect(await of(id, 'on_shelf')).toMatchObject([{ bar_code: '1004', last_borrower: 'Alice Martin (M1)' }])
    expect(codes(await of(id, 'found_again'))).toEqual(['1005'])
    expect(codes(await of(id, 'withdrawn'))).toEqual(['1006'])
    expect(await of(id, 'unknown')).toMatchObject([
      { bar_code: 'SANS', copy: null, name: null, note: 'Un carnet', scanned_by: 'admin' },
    ])
  })

  it('is filtered, ordered and paged', async () => {
    const { id } = await counted()
    expect(codes((await findings(id, '?location=1&order[bar_code]=desc'))['hydra:member'])).toEqual([
      '1010',
      '1003',
    ])
    expect(codes((await findings(id, '?name|like=numero 7'))['hydra:member'])).toEqual(['1007'])
    const seen = async (way: string) =>
      (await findings(id, `?order[last_seen_on]=${way}`))['hydra:member'].map((row) => row.last_seen_on)
    const known = ['2026-02-01', '2026-02-01', '2026-02-01']
    expect(await seen('asc')).toEqual([...known, null, null, null, null, null])
    expect(await seen('desc')).toEqual([...known, null, null, null, null, null])
    await sql`update loanings set start_date = '2026-01-05', return_date = '2026-01-06' where copy = 8`.execute(
      server.db,
    )
    expect((await seen('asc'))[0]).toBe('2026-01-06')
    expect((await seen('desc'))[2]).toBe('2026-01-06')
    const all = (await findings(id, '?order[last_seen_on]=asc'))['hydra:member'].map(({ key }) => key)
    const pages = await Promise.all(
      [1, 2, 3, 4].map(
        async (page) => (await findings(id, `?order[last_seen_on]=asc&limit=2&page=${page}`))['hydra:member'],
      ),
    )
    expect(pages.flat().map(({ key }) => key)).toEqual(all)
    expect(new Set(all).size).toBe(8)
    for (const order of ['bar_code', 'name', 'call_number', 'location_label', 'scanned_at']) {
      expect((await findings(id, `?order[${order}]=desc`))['hydra:totalItems']).toBe(8)
    }
  })

  it('goes by the last scan that was not taken back, and by loans as they are', async () => {
    const { id } = await counted()
    await send(admin, id, [scanOf({ bar_code: '1003', location: 2, scanned_at: '2026-03-10T08:40:00.000Z' })])
    expect(codes(await of(id, 'misplaced'))).toEqual(['1010'])
    const mistaken = scanOf({ bar_code: '1003', location: 4, scanned_at: '2026-03-10T08:50:00.000Z' })
    await send(admin, id, [mistaken])
    expect(await of(id, 'misplaced')).toMatchObject([
      { bar_code: '1003', seen_location: 4 },
      { bar_code: '1010' },
    ])
    await send(admin, id, [{ ...mistaken, taken_back: true }])
    expect(codes(await of(id, 'misplaced'))).toEqual(['1010'])
    // Lent after it was counted, it was on its shelf by right.
    await admin.post('/api/loanings/return', { bar_code: '1004' })
    await admin.post('/api/loanings', { beneficiary: 2, copy: 4, free: true })
    expect(await of(id, 'on_shelf')).toEqual([])
  })

  /** Counts, and may list neither readers nor loans. */
  const asCounter = async (...more: string[]): Promise<Client> => {
    await sql`delete from profile_rights where profile = (select id from profiles where name = 'Consultation')`.execute(
      server.db,
    )
    await sql`insert into profile_rights (profile, right_code)
      select id, unnest(${['INVENTORY', ...more]}::text[]) from profiles where name = 'Consultation'`.execute(
      server.db,
    )
    return server.as('lecture')
  }

  it('names no borrower to whoever may not list readers', async () => {
    const { id } = await counted()
    const reader = await asCounter()
    expect((await of(id, 'on_shelf', reader))[0]).toMatchObject({
      last_loan_on: '2026-02-01',
      last_borrower: null,
    })
    const { body } = await reader.get(`/api/inventories/${id}/report?export_type=csv`)
    expect(body.toString()).not.toMatch(/Martin|Dupont/)
    expect(
      (await reader.post(`/api/inventories/${id}/apply`, { missing: { action: 'withdraw' } })).status,
    ).toBe(403)
    expect(
      (await reader.post(`/api/inventories/${id}/apply`, { on_shelf: { action: 'return' } })).status,
    ).toBe(403)
    expect(await read(admin, id)).toMatchObject({ status: 'open' })
  })

  describe('once it is applied', () => {
    const whole = {
      missing: { action: 'unavailable' },
      misplaced: { action: 'move' },
      on_shelf: { action: 'return' },
      found_again: { action: 'available' },
      withdrawn: { action: 'restore' },
    }
    const apply = async (id: number, chosen: object) => {
      const { status, body } = await admin.post(`/api/inventories/${id}/apply`, chosen)
      expect([status, body.message]).toEqual([202, undefined])
      await server.doJobs()
      return body.id as number
    }
    const copies = async () => {
      const { rows } = await sql<{ id: number; status: string; location: number | null; gone: boolean }>`
        select id, status, location, deleted_at is not null as gone from copies where id <= 10 order by id`.execute(
        server.db,
      )
      return new Map(rows.map(({ id, ...row }) => [id, row]))
    }
    const undo = async (act: number) => {
      const { status } = await admin.post(`/api/acts/${act}/undo`)
      await server.doJobs()
      return status
    }

    it('has done what was chosen, as one act', async () => {
      const { id } = await counted()
      const places = async () =>
        (await admin.get(`/api/inventories/${id}/progress`)).body.locations as unknown
      const before = await places()
      const act = await apply(id, whole)
      expect(await places()).toEqual(before)
      const now = await copies()
      expect([7, 8].map((copy) => now.get(copy)?.status)).toEqual(['Non Disponible', 'Non Disponible'])
      expect([3, 10].map((copy) => now.get(copy)?.location)).toEqual([1, 1])
      expect([4, 5].map((copy) => now.get(copy)?.status)).toEqual(['Disponible', 'Disponible'])
      expect(now.get(6)).toEqual({ status: 'Disponible', location: 3, gone: false })
      const { rows } = await sql`
        select return_date::text, returned_at from loanings where copy = 4`.execute(server.db)
      expect(rows).toEqual([{ return_date: '2026-03-10', returned_at: '2026-03-10T08:30:00.000Z' }])
      expect(await read(admin, id)).toMatchObject({
        status: 'applied',
        act,
        left_alone: 0,
        expected: 7,
        seen: 5,
        ended_at: testNow,
      })
      expect((await admin.get(`/api/acts/${act}`)).body).toMatchObject({
        kind: 'inventory.apply',
        name: 'Récolement',
        touched: 8,
        fixed: null,
      })
      // The review stays as it was.
      expect((await findings(id)).groups).toMatchObject({ missing: 2, misplaced: 2, withdrawn: 1 })
      expect(await of(id, 'missing')).toMatchObject([
        { bar_code: '1007', action: 'unavailable', outcome: 'done' },
        { bar_code: '1008', last_borrower: 'Éric Dupont (M2)' },
      ])
      expect((await admin.post(`/api/inventories/${id}/apply`, {})).status).toBe(409)
    })

    it('leaves nothing when its act is undone, and is open again', async () => {
      const { id } = await counted()
      const before = await liveRows(server.db)
      const act = await apply(id, { ...whole, missing: { action: 'withdraw' } })
      expect((await copies()).get(7)?.gone).toBe(true)
      expect(await undo(act)).toBe(202)
      expect(await liveRows(server.db)).toEqual(before)
      expect((await admin.get(`/api/acts/${act}`)).body).toMatchObject({ touched: 8, undone: 8 })
      expect((await findings(id)).groups).toMatchObject({
        missing: 2,
        misplaced: 2,
        on_shelf: 1,
        withdrawn: 1,
      })
      const { rows } = await sql`
        select withdrawal_reason from copies where id = 6`.execute(server.db)
      expect(rows).toEqual([{ withdrawal_reason: 'usé' }])
      await apply(id, whole)
      expect(await read(admin, id)).toMatchObject({ status: 'applied', left_alone: 0 })
    })

    it('names no borrower and tells no penalty in its act to whoever may list neither readers nor loans', async () => {
      const { id } = await counted()
      const act = await apply(id, whole)
      const rowsFor = async (client: Client) => {
        const { status, body } = await client.get(`/api/acts/${act}/rows?limit=50`)
        expect(status).toBe(200)
        const rows = body['hydra:member'] as { entity: string; name: string; changes: { field: string }[] }[]
        return rows
          .filter(({ entity }) => entity === 'loanings')
          .map(({ name, changes }) => [name, changes.map(({ field }) => field)])
      }
      expect(await rowsFor(admin)).toEqual([['Livre numéro 4 · Alice Martin (M1)', ['Rendu le', 'Pénalité']]])
      expect(await rowsFor(await asCounter())).toEqual([['Livre numéro 4', ['Rendu le']]])
      expect(await rowsFor(await asCounter('LIST_LOANINGS'))).toEqual(await rowsFor(admin))
    })

    it('is undone by whoever holds the rights of what it did, still when the work begins', async () => {
      const { id } = await counted()
      const all = ['COPY_MODIFY', 'COPY_DELETE', 'LOANING_RETURN']
      const author = await asCounter(...all)
      const asked = await author.post(`/api/inventories/${id}/apply`, {
        ...whole,
        missing: { action: 'withdraw' },
      })
      expect(asked.status).toBe(202)
      await server.doJobs()
      const { id: act } = asked.body
      for (const right of all) {
        const client = await asCounter(...all.filter((one) => one !== right))
        const { status, body } = await client.post(`/api/acts/${act}/undo`)
        expect([status, body.message]).toEqual([
          409,
          'Cet acte ne peut pas être annulé. Vous n’avez pas le droit de défaire tout ce qu’il a fait.',
        ])
      }
      const undoing = await (await asCounter(...all)).post(`/api/acts/${act}/undo`)
      expect(undoing.status).toBe(202)
      await asCounter('COPY_MODIFY', 'COPY_DELETE')
      await server.doJobs()
      expect((await copies()).get(4)?.status).toBe('Disponible')
      expect(await read(admin, id)).toMatchObject({ status: 'applied' })
      expect((await (await asCounter(...all)).post(`/api/acts/${act}/undo`)).status).toBe(202)
      await server.doJobs()
      expect((await copies()).get(4)?.status).toBe('En Location')
      expect(await read(admin, id)).toMatchObject({ status: 'open' })
    })

    it('asks an undo only for the rights of what it did', async () => {
      const { id } = await counted()
      const author = await asCounter('COPY_MODIFY')
      const { body } = await author.post(`/api/inventories/${id}/apply`, { misplaced: { action: 'move' } })
      await server.doJobs()
      expect((await author.post(`/api/acts/${body.id}/undo`)).status).toBe(202)
    })

    it('keeps a loan and a copy that somebody has changed since', async () => {
      const { id } = await counted()
      const act = await apply(id, whole)
      await admin.post('/api/loanings', { beneficiary: 2, copy: 4, free: true })
      await admin.post('/api/loanings', { beneficiary: 2, copy: 6, free: true })
      await admin.post('/api/loanings/return', { bar_code: '1006' })
      await admin.put('/api/copies/7', { status: 'Disponible' })
      await undo(act)
      const { body } = await admin.get(`/api/acts/${act}/rows?undone=false`)
      expect(
        body['hydra:member'].map(({ entity, kept }: { entity: string; kept: string }) => [entity, kept]),
      ).toEqual([
        ['loanings', 'L’exemplaire a déjà servi à autre chose depuis ce retour.'],
        ['copies', 'Il a été prêté depuis.'],
        ['copies', 'Il a été modifié depuis.'],
      ])
      expect((await copies()).get(4)?.status).toBe('En Location')
      expect((await copies()).get(8)?.status).toBe('Disponible')
    })

    it('does only what was chosen, by group or one by one', async () => {
      const { id } = await counted()
      await apply(id, {
        missing: { action: 'withdraw', except: ['7'] },
        misplaced: { action: 'move', only: ['10'] },
      })
      const now = await copies()
      expect([7, 8].map((copy) => now.get(copy)?.gone)).toEqual([false, true])
      expect([3, 10].map((copy) => now.get(copy)?.location)).toEqual([2, 1])
      expect(now.get(4)?.status).toBe('En Location')
      expect((await of(id, 'missing')).map(({ action, outcome }) => [action, outcome])).toEqual([
        [null, null],
        ['withdraw', 'done'],
      ])
    })

    it('leaves alone what changed between the review and the deed', async () => {
      const { id } = await counted()
      await admin.post(`/api/inventories/${id}/apply`, whole)
      // Found by a phone that was off line, lent again, moved and returned at a counter.
      await scan(admin, id, ['1007'])
      await admin.put('/api/copies/5', { status: 'Disponible' })
      await admin.put('/api/copies/3', { location: 4 })
      await admin.post('/api/loanings/return', { bar_code: '1004' })
      await admin.post('/api/loanings', { beneficiary: 2, copy: 8, free: true })
      await server.doJobs()
      const now = await copies()
      expect([3, 4, 7, 8].map((copy) => [now.get(copy)?.status, now.get(copy)?.location])).toEqual([
        ['Disponible', 4],
        ['Disponible', 2],
        ['Disponible', 4],
        ['En Location', 4],
      ])
      expect(await read(admin, id)).toMatchObject({ left_alone: 5 })
      expect((await of(id, 'missing')).map(({ outcome }) => outcome)).toEqual(['left', 'left'])
    })

    it('goes on where its server stopped, and does nothing twice', async () => {
      const { id } = await counted()
      await admin.post(`/api/inventories/${id}/apply`, whole)
      const stopping = runJobs({
        environment: server.environment,
        now: () => server.now,
        steps: {
          ...jobSteps,
          'inventories.apply': async (...how) => {
            await jobSteps['inventories.apply'](...how)
            throw new Error('stopped')
          },
        },
      })
      await expect(stopping).rejects.toThrow('stopped')
      expect((await copies()).get(7)?.status).toBe('Disponible')
      const { act } = await read(admin, id)
      expect((await admin.get(`/api/acts/${act}`)).body).toMatchObject({
        ended_at: null,
        fixed: 'Il n’est pas terminé.',
      })
      expect((await admin.post(`/api/acts/${act}/undo`)).status).toBe(409)
      await server.doJobs()
      expect((await copies()).get(7)?.status).toBe('Non Disponible')
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from audit_journal where action = 'loan.return' and act = ${act}`.execute(
        server.db,
      )
      expect(rows).toEqual([{ count: 1 }])
    })

    it('asks for the rights that it needs still', async () => {
      const { id } = await counted()
      await admin.post(`/api/inventories/${id}/apply`, whole)
      await sql`delete from profile_rights where right_code = 'COPY_MODIFY' and profile = (select profile from users where username = 'admin')`.execute(
        server.db,
      )
      await server.doJobs()
      await sql`insert into profile_rights (profile, right_code) select profile, 'COPY_MODIFY' from users where username = 'admin'`.execute(
        server.db,
      )
      const { body } = await admin.get('/api/jobs')
      expect(body['hydra:member'][0]).toMatchObject({
        status: 'failed',
        problem:
          'Votre compte n’a plus le droit d’appliquer cet inventaire. L’inventaire est de nouveau ouvert\u202f: vous pouvez l’appliquer encore.',
      })
      expect((await copies()).get(5)?.status).toBe('Non Disponible')
    })

    it('is open again where its work failed for good, and can be applied; what was done is undone apart', async () => {
      const { id } = await counted()
      const before = await liveRows(server.db)
      const { body: first } = await admin.post(`/api/inventories/${id}/apply`, whole)
      let steps = 0
      const failing = () =>
        runJobs({
          environment: server.environment,
          now: () => server.now,
          steps: {
            ...jobSteps,
            'inventories.apply': async (trx, job, context) => {
              steps += 1
              if (steps > 1) throw new Error('always')
              await jobSteps['inventories.apply'](trx, job, context)
              return { cursor: 3, did: 3, isLast: false }
            },
          },
          afterFailures,
        })
      for (let attempt = 0; attempt < 5; attempt += 1) await expect(failing()).rejects.toThrow('always')
      await failing()
      const { body } = await admin.get('/api/jobs')
      expect(body['hydra:member'][0]).toMatchObject({
        status: 'failed',
        problem:
          'Une erreur inattendue s’est produite. L’inventaire est de nouveau ouvert\u202f: vous pouvez l’appliquer encore.',
      })
      expect(await read(admin, id)).toMatchObject({ status: 'open', act: null, ended_at: null })
      expect((await findings(id)).groups).toMatchObject({ on_shelf: 0, missing: 2 })
      // Counted live again, by place too: what was moved is expected where it is.
      const { body: progress } = await admin.get(`/api/inventories/${id}/progress`)
      expect(progress.locations.find(({ location }: { location: number }) => location === 1)).toMatchObject({
        expected: 4,
        seen: 4,
      })
      expect((await admin.get(`/api/acts/${first.id}`)).body).toMatchObject({
        ended_at: testNow,
        fixed: null,
      })
      const second = await apply(id, whole)
      expect(await read(admin, id)).toMatchObject({ status: 'applied', act: second, left_alone: 0 })
      expect(await undo(second)).toBe(202)
      expect(await undo(first.id)).toBe(202)
      expect(await liveRows(server.db)).toEqual(before)
      expect((await admin.get(`/api/acts/${first.id}`)).body.fixed).toBe('Il l’est déjà.')
    })
  })

  describe('as a file', () => {
    it('tells each group, in every kind of file', async () => {
      const { id } = await counted()
      await admin.put('/api/locations/4', { label: '=1+1' })
      const csv = await admin.get(`/api/inventories/${id}/report?export_type=csv`)
      expect(csv.headers.get('content-disposition')).toContain('inventaire-20260310-100000.csv')
      const lines = csv.body.toString().trim().split('\r\n') as string[]
      expect(lines).toHaveLength(9)
      expect(lines[1]).toContain("Absent;1007;Livre numéro 7;;'=1+1")
      expect(lines[2]).toContain('01/02/2026;01/02/2026;;Éric Dupont (M2)')
      expect(lines.at(-1)).toContain('Inconnu;SANS')
      const xlsx = await admin.get(`/api/inventories/${id}/report`)
      expect(xlsx.body.subarray(0, 2).toString()).toBe('PK')
      const pdf = await admin.get(`/api/inventories/${id}/report?export_type=pdf`)
      const text = readPdf(pdf.body)
        .map((page) => page.text)
        .join('\n')
      expect(text).toContain('Récolement')
      expect(text).toContain('5 vus sur 7 attendus')
      expect(text).toContain('Mal rangé')
    })

    it('stays that of the review once it is applied', async () => {
      const { id } = await counted()
      await admin.post(`/api/inventories/${id}/apply`, { missing: { action: 'withdraw' } })
      await server.doJobs()
      const { body } = await admin.get(`/api/inventories/${id}/report?export_type=csv`)
      expect(body.toString()).toContain('Absent;1007')
      expect(body.toString()).toContain('Retiré du fonds')
    })
  })

  it('tells of a copy of another site what its sight allows', async () => {
    const people = await openTwoSites(server)
    server.moveTo('2026-02-01T09:00:00.000Z')
    for (const copy of [1, 11]) {
      const lent = await people.chef.post('/api/loanings', { beneficiary: 1, copy, free: true }, { site: 1 })
      expect(lent.status).toBeLessThan(300)
    }
    server.moveTo(testNow)
    const { id } = await openInventory(people.chef, { site: 2 })
    await scan(people.chef, id, ['1001'], { location: 2 })
    await scan(people.chef, id, ['2001'])
    expect((await of(id, 'misplaced', people.chef))[0]).toMatchObject({
      name: 'Livre numéro 1',
      site_name: 'Centre',
    })
    const seen = (await of(id, 'misplaced', people.annexe))[0]
    const hidden = {
      copy: null,
      name: null,
      bar_code: '1001',
      location_label: null,
      last_seen_on: null,
      last_loan_on: null,
    }
    expect(seen).toMatchObject(hidden)
    // A loan of another site is no fact of one's own copy either.
    const own = async (client: Client) =>
      (await of(id, 'on_shelf', client)).map(({ bar_code, copy, last_loan_on }) => [
        bar_code,
        copy,
        last_loan_on,
      ])
    expect(await own(people.annexe)).toEqual([
      ['1001', null, null],
      ['2001', 11, null],
    ])
    expect(await own(people.chef)).toEqual([
      ['1001', 1, '2026-02-01'],
      ['2001', 11, '2026-02-01'],
    ])
    expect((await findings(id, '?name|like=livre', people.annexe))['hydra:totalItems']).toBe(0)
    expect((await biblio.get(`/api/inventories/${id}/findings`)).status).toBe(404)

    // Loans out of sight are left, so that undoing leaves nothing behind.
    const before = await liveRows(server.db)
    const asked = await people.annexe.post(`/api/inventories/${id}/apply`, { on_shelf: { action: 'return' } })
    expect(asked.status).toBe(202)
    await server.doJobs()
    expect((await of(id, 'on_shelf', people.chef)).map(({ outcome }) => outcome)).toEqual(['left', 'left'])
    const { rows } = await sql<{ status: string }>`select status from loanings`.execute(server.db)
    expect(rows.map(({ status }) => status)).toEqual(['in_progress', 'in_progress'])
    // The label was read by a person who saw the copy; another is told no code of it.
    const [kept] = await of(id, 'misplaced', people.annexe)
    expect(kept).toMatchObject({ ...hidden, bar_code: '' })
    expect(await of(id, 'misplaced', people.chef)).toMatchObject([
      { copy: 1, bar_code: '1001', last_seen_on: '2026-02-01', last_loan_on: '2026-02-01' },
    ])
    const { body } = await people.annexe.get(`/api/inventories/${id}/report?export_type=csv`)
    const elsewhere = (body.toString().split('\r\n') as string[]).filter((line) => line.includes('Centre'))
    expect(elsewhere).toHaveLength(2)
    expect(elsewhere.join()).not.toMatch(/1001|01\/02\/2026|Livre/)
    await people.annexe.post(`/api/acts/${asked.body.id}/undo`)
    await server.doJobs()
    expect(await liveRows(server.db)).toEqual(before)
  })
})
