import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { undoReaders } from '../../src/server/beneficiaries/undo-readers.ts'
import { exchangeOfJob } from '../../src/server/jobs/job-exchange.ts'
import { runJobs } from '../../src/server/jobs/run-jobs.ts'
import { readParameters } from '../../src/server/library-facts/parameters.ts'
import { jobSteps } from '../../src/server/serve.ts'
import { testEngine } from '../support/databases.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('acts', (server) => {
  let admin: Client
  let biblio: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    biblio = await server.as('biblio')
    await admin.post('/api/locations', { label: 'Réserve' })
  })
  beforeEach(() => emptyTables(server.db, 'acts', 'list_types'))

  const begin = async (kind: string, name: string) => {
    const { status, body } = await admin.post('/api/acts', { kind, name })
    expect(status).toBe(201)
    return { id: Number(body.id), part: { headers: { 'x-act': String(body.id) } } }
  }
  const undo = async (id: number) => {
    const asked = await admin.post(`/api/acts/${id}/undo`)
    await server.doJobs()
    return asked
  }
  const rows = async (id: number, query = '') =>
    (await admin.get(`/api/acts/${id}/rows${query}`)).body['hydra:member']
  const act = async (id: number) => (await admin.get(`/api/acts/${id}`)).body
  const copy = async (id: number) => (await admin.get(`/api/copies?id=${id}`)).body['hydra:member'][0]

  describe('a merge of values', () => {
    const merged = async () => {
      const { body: type } = await admin.post('/api/list_types', {
        name: 'Auteur',
        group: 'author',
        isMainAuthor: true,
      })
      const [wrong, right] = await Promise.all(
        ['Zola, E.', 'Zola, Émile'].map(
          async (name) => (await admin.post('/api/list_values', { name, type: type.id })).body.id as number,
        ),
      )
      const give = (id: number, names: string[]) =>
        admin.put(`/api/references/${id}`, { authors: { author: { Auteur: names } } })
      await give(1, ['Zola, E.'])
      await give(2, ['Zola, Émile', 'Zola, E.'])
      await give(3, ['Zola, E.'])
      const before = await liveRows(server.db)
      await admin.post(`/api/list_values/${wrong}/merge/${right}`)
      const [{ id }] = (await admin.get('/api/acts')).body['hydra:member']
      return { id: id as number, before, wrong, right }
    }

    it('is told in words, with the references that it touched', async () => {
      const { id } = await merged()
      expect(await act(id)).toMatchObject({
        kind: 'list_values.merge',
        name: '«\u00a0Zola, E.\u00a0» fusionnée avec «\u00a0Zola, Émile\u00a0»',
        touched: 4,
        undone: 0,
        fixed: null,
      })
      expect(await rows(id)).toMatchObject([
        {
          name: 'Livre numéro 1',
          action: 'Fusion d’une valeur',
          state: 'left',
          changes: [
            { field: 'Auteur', before: 'Zola, E.', after: 'Zola, Émile' },
            { before: 'Auteur\u202f: Zola, E.', after: 'Auteur\u202f: Zola, Émile' },
          ],
        },
        { name: 'Livre numéro 2' },
        { name: 'Livre numéro 3' },
        { name: 'Zola, E.', state: 'left' },
      ])
    })

    it('leaves nothing once it is undone', async () => {
      const { id, before } = await merged()
      expect((await undo(id)).status).toBe(202)
      expect(await liveRows(server.db)).toEqual(before)
      expect(await act(id)).toMatchObject({ touched: 4, undone: 4, fixed: 'Il l’est déjà.' })
      expect((await undo(id)).status).toBe(409)
    })

    it('keeps what somebody has changed since, and tells both states', async () => {
      const { id } = await merged()
      await biblio.put('/api/references/2', { authors: { author: { Auteur: [] } } })
      await biblio.put('/api/references/3', { price: '4.00' })
      await undo(id)
      const kept = await rows(id, '?undone=false')
      expect(kept).toMatchObject([
        {
          name: 'Livre numéro 2',
          state: 'changed',
          since: expect.arrayContaining([
            expect.objectContaining({ before: 'Auteur\u202f: Zola, Émile', after: null }),
          ]),
          kept: 'Il a été modifié depuis.',
        },
      ])
      // What the merge had not touched is no change of it.
      expect((await admin.get('/api/references/3')).body).toMatchObject({
        price: '4.00',
        authors: { author: { Auteur: ['Zola, E.'] } },
      })
    })

    it('is taken back once by two who ask at once, and goes on where its server stopped', async () => {
      const { id, before } = await merged()
      const asked = await Promise.all([1, 2].map(() => admin.post(`/api/acts/${id}/undo`)))
      expect(asked.map(({ status }) => status).sort()).toEqual([202, 409])
      const stopping = runJobs({
        environment: server.environment,
        now: () => server.now,
        steps: {
          ...jobSteps,
          'acts.undo': async (...how) => {
            await jobSteps['acts.undo'](...how)
            throw new Error('stopped')
          },
        },
      })
      await expect(stopping).rejects.toThrow('stopped')
      expect(await act(id)).toMatchObject({ undone: 0, fixed: 'Son annulation est en cours.' })
      await server.doJobs()
      expect(await liveRows(server.db)).toEqual(before)
    })
  })

  describe('changes of several copies', () => {
    it('are one act, whose copies are given back what they were', async () => {
      const before = await liveRows(server.db)
      const { id, part } = await begin('copies.change', '3 exemplaires\u202f: Réserve')
      for (const one of [1, 2, 3]) {
        const sent = await admin.put(`/api/copies/${one}`, { location: 1, state: 'DAMAGED' }, part)
        expect(sent.status).toBe(200)
      }
      expect(await act(id)).toMatchObject({ touched: 3 })
      await undo(id)
      expect(await liveRows(server.db)).toEqual(before)
    })

    it.skipIf(testEngine === 'embedded')('are read while somebody changes one of them', async () => {
      const { id, part } = await begin('copies.change', 'Un exemplaire')
      await admin.put('/api/copies/4', { state: 'DAMAGED' }, part)
      const read = await server.db.transaction().execute(async (trx) => {
        await sql`select from copies where id = 4 for update`.execute(trx)
        return rows(id)
      })
      expect(read).toMatchObject([{ state: 'left' }])
      await undo(id)
    })

    it('leave alone what was lent or changed since, each with its reason', async () => {
      const { id, part } = await begin('copies.change', 'Mauvais état')
      for (const one of [1, 2]) await admin.put(`/api/copies/${one}`, { state: 'DAMAGED' }, part)
      expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).status).toBe(201)
      await undo(id)
      expect([(await copy(1)).state, (await copy(2)).state]).toEqual(['DAMAGED', 'VERY_GOOD'])
      expect(await rows(id, '?undone=false')).toMatchObject([
        {
          entity_id: 1,
          kept: 'Il a été modifié depuis.',
          since: [{ field: 'Disponibilité', after: 'En Location' }],
        },
      ])
      // It is taken back later, when nothing holds it any more.
      const [loan] = (await biblio.get('/api/loanings?status=in_progress&copy=1')).body['hydra:member']
      expect((await biblio.post(`/api/loanings/${loan.id}/return`, { state: 'DAMAGED' })).status).toBe(200)
      expect((await undo(id)).status).toBe(202)
      expect((await copy(1)).state).toBe('VERY_GOOD')
    })

    it('that withdrew them leave nothing once they are undone', async () => {
      const before = await liveRows(server.db)
      const { id, part } = await begin('copies.remove', '2 exemplaires retirés')
      for (const one of [7, 8]) expect((await admin.delete(`/api/copies/${one}`, part)).status).toBe(204)
      expect(await act(id)).toMatchObject({ touched: 2 })
      await undo(id)
      expect(await liveRows(server.db)).toEqual(before)
    })

    it('that withdrew them bring them back, but not over a label that was given again', async () => {
      const { id, part } = await begin('copies.remove', '2 exemplaires retirés')
      for (const one of [5, 6]) await admin.delete(`/api/copies/${one}`, part)
      const taken = await admin.post('/api/copies', { reference: 1, site: 1, bar_code: '1005' })
      expect(taken.status).toBe(201)
      await undo(id)
      expect([await copy(5), (await copy(6)).status_name]).toEqual([undefined, 'Disponible'])
      const [kept] = await rows(id, '?undone=false')
      expect(kept).toMatchObject({ entity_id: 5, kept: expect.stringContaining('1005') })
    })
  })

  describe('a reader who was removed', () => {
    const remove = () =>
      sql`update beneficiaries set reader_id = 'ab12', deleted_at = now() where id = 3`.execute(server.db)
    const bringBack = () =>
      server.db.transaction().execute(async (trx) => {
        const asker = { user_id: 1, site: null, device_id: null }
        const { environment, now } = server
        const exchange = await exchangeOfJob(trx, asker, {
          environment,
          parameters: await readParameters(trx),
          now,
        })
        return undoReaders.bringBack(trx, { id: 3, before: {} }, exchange!)
      })
    const isThere = async () => (await admin.get('/api/beneficiaries/3')).status === 200
    afterEach(async () => {
      await sql`update beneficiaries set reader_id = 'R' || id, deleted_at = null where id in (1, 3)`.execute(
        server.db,
      )
      await sql`delete from relatives where reader_id = 'Ab12'`.execute(server.db)
      await sql`update copies set bar_code = '1001' where id = 1`.execute(server.db)
      await sql`update locations set bar_code = null where id = 1`.execute(server.db)
    })

    it.each([
      [
        'another reader',
        () => admin.put('/api/beneficiaries/1', { number: 'AB12' }),
        /d’un autre lecteur\.$/,
      ],
      [
        'a relative',
        () => admin.post('/api/beneficiaries/1/relatives', { firstname: 'Léo', reader_id: 'Ab12' }),
        /d’un autre lecteur\.$/,
      ],
      [
        'a copy',
        () => admin.put('/api/copies/1', { bar_code: 'aB12' }),
        /^Le numéro de lecteur ab12 est le code-barres .*«\sLivre numéro 1\s»\.$/,
      ],
      [
        'a shelf',
        () => admin.put('/api/locations/1', { bar_code: 'AB12' }),
        /^Le numéro de lecteur ab12 est le code-barres de l’emplacement «\sRéserve\s»\.$/,
      ],
    ])('does not come back with a number that %s has by now, whatever its case', async (_, give, why) => {
      await remove()
      expect((await give()).status).toBeLessThan(300)
      expect(await bringBack()).toMatch(why)
      expect(await isThere()).toBe(false)
    })

    it('comes back with a number that nobody has', async () => {
      await remove()
      expect(await isThere()).toBe(false)
      expect(await bringBack()).toBeNull()
      expect(await isThere()).toBe(true)
    })
  })

  it('are listed by the day that it was in the library', async () => {
    const { id } = await begin('copies.change', 'Après minuit')
    await sql`update acts set begun_at = '2026-03-09T23:30:00Z' where id = ${id}`.execute(server.db)
    const namesOf = async (filter: string) =>
      (await admin.get(`/api/acts?${filter}`)).body['hydra:member'].map(({ name }: { name: string }) => name)
    expect(await namesOf('begun_at=2026-03-10')).toEqual(['Après minuit'])
    expect(await namesOf('begun_at=2026-03-09')).toEqual([])
    expect(await namesOf('begun_at|lte=2026-03-09')).toEqual([])
    expect(await namesOf('begun_at|gte=2026-03-10')).toEqual(['Après minuit'])
  })

  it('are seen, filled and undone by whoever may do such an act alone', async () => {
    const { id, part } = await begin('copies.change', 'Essai')
    await admin.put('/api/copies/3', { state: 'DAMAGED' }, part)
    const lecture = await server.as('lecture')
    expect((await lecture.get('/api/acts')).status).toBe(403)
    const benevole = await server.as('benevole')
    expect((await benevole.post('/api/acts', { kind: 'copies.remove', name: 'x' })).status).toBe(403)
    expect((await biblio.put('/api/copies/4', { state: 'DAMAGED' }, part)).status).toBe(400)
    expect((await admin.delete('/api/copies/4', part)).status).toBe(400)
    expect(
      (await admin.put('/api/copies/4', { state: 'DAMAGED' }, { headers: { 'x-act': '1e1' } })).status,
    ).toBe(400)
    await undo(id)
    expect((await admin.put('/api/copies/4', { state: 'DAMAGED' }, part)).status).toBe(400)
  })
})
