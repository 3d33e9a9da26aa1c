import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { beneficiaryFaults } from '../../src/server/beneficiaries/beneficiary-refusal.ts'
import { whyNumberTaken } from '../../src/server/beneficiaries/reader-number.ts'
import { readParameters } from '../../src/server/library-facts/parameters.ts'
import { exchangeOfJob } from '../../src/server/jobs/job-exchange.ts'
import type { Visibility } from '../../src/server/visibility/visibility.ts'
import { isDistributing } from '../support/distributed-databases.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const fullVisibility: Visibility = {
  open: null,
  listed: null,
  readersBySite: false,
  returnsSince: null,
  rights: new Set(),
}

describeServer('beneficiaries: adding and changing', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  const lastJournal = () =>
    server.db.selectFrom('audit_journal').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

  it('adds a beneficiary and writes the journal', async () => {
    const { status, body } = await biblio.post('/api/beneficiaries', {
      matricule: 'M10',
      lastname: 'N’Guyen',
      firstname: '<img onerror=x>',
      contract_type: 'Stage',
      dossiers: ['Famille', 'Famille'],
      agency_id: '/api/agencies/2',
      reader_id: 'R10',
      email: 'lea@exemple.fr',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      label: 'M10 - N’Guyen <img onerror=x> - R10',
      dossiers: ['Famille'],
      agency: 'Annexe',
      email: 'lea@exemple.fr',
      open_loans: 0,
      relatives: [],
    })
    expect(await lastJournal()).toMatchObject({ action: 'beneficiary.add', entity_id: body.id, before: null })
    const contracts = await biblio.get('/api/eligibility/list/CONTRACT?inUse=1')
    expect(contracts.body['hydra:member'].map(({ name }: { name: string }) => name)).toContain('Stage')
  })

  it('changes no version but the one that was read', async () => {
    const { version } = (await biblio.get('/api/beneficiaries/4')).body
    const put = (body: object) => biblio.put('/api/beneficiaries/4', body)
    expect((await put({ message: 'Au téléphone', version })).body.message).toBe('Au téléphone')
    expect(await put({ message: 'Par courriel', version })).toMatchObject({
      status: 409,
      body: { reason: 'CHANGED_SINCE' },
    })
    // Whoever sends none overwrites what they name.
    expect((await put({ message: '' })).body.message).toBe('')
    expect((await put({ version: 'x' })).body.violations[0].propertyPath).toBe('version')
  })

  it('says who already has a number, among readers and their relatives', async () => {
    const answer = await biblio.post('/api/beneficiaries', {
      matricule: 'M11',
      lastname: 'X',
      firstname: '',
      reader_id: 'R2A',
    })
    expect(answer.status).toBe(422)
    expect(answer.body.violations).toEqual([
      {
        propertyPath: 'reader_id',
        message: 'Le numéro de lecteur R2A est déjà celui de Zoé Dupont, proche d’Éric Dupont (M2).',
      },
    ])
    for (const number of ['R2', 'r2']) {
      const changed = await biblio.put('/api/beneficiaries/1', { number })
      const message = `Le numéro de lecteur ${number} est déjà celui d’Éric Dupont (M2).`
      expect(changed.body.violations).toEqual([{ propertyPath: 'number', message }])
    }
    const relative = await biblio.put('/api/relatives/1', { number: 'R1' })
    expect(relative.body.violations).toEqual([
      { propertyPath: 'number', message: 'Le numéro de lecteur R1 est déjà celui d’Alice Martin (M1).' },
    ])
    await server.db
      .insertInto('relatives')
      .values({ beneficiary: 1, lastname: 'Martin', firstname: 'Léo' })
      .execute()
    expect((await biblio.put('/api/relatives/2', { number: 'R2A' })).status).toBe(422)
    const matricule = await biblio.post('/api/beneficiaries', {
      matricule: 'M1',
      lastname: 'X',
      firstname: '',
    })
    expect(matricule.body.violations).toEqual([
      { propertyPath: 'matricule', message: 'Le matricule M1 est déjà celui d’Alice Martin.' },
    ])
  })

  it('gives no two readers of one batch a number that differs by case only', async () => {
    const faults = await server.db.transaction().execute(async (trx) => {
      const asker = { user_id: 1, site: null, device_id: null }
      const { environment, now } = server
      const exchange = await exchangeOfJob(trx, asker, {
        environment,
        parameters: await readParameters(trx),
        now,
      })
      const asked = ['ab12', 'CD34', 'AB12'].map((reader_id) => ({ entries: { reader_id }, before: null }))
      return beneficiaryFaults(trx, asked, exchange!)
    })
    const message = 'Le numéro de lecteur AB12 est demandé pour deux lecteurs.'
    expect(faults).toEqual([[], [], [{ field: 'reader_id', message }]])
  })

  it('puts no shelf’s code on a card, and leaves a shelf that has a card’s to be mended', async () => {
    const admin = await server.as('admin')
    const shelf = await admin.post('/api/locations', { label: 'Romans', bar_code: 'ETAGERE-1' })
    expect(shelf.status).toBe(201)
    const { body } = await biblio.put('/api/beneficiaries/1', { number: 'etagere-1' })
    expect(body.violations[0].message).toBe(
      'Le numéro de lecteur etagere-1 est le code-barres de l’emplacement «\u00a0Romans\u00a0».',
    )
    // As from before that was refused.
    await sql`update beneficiaries set reader_id = 'ETAGERE-1' where id = 1`.execute(server.db)
    const at = `/api/locations/${shelf.body.id}`
    expect((await admin.put(at, { label: 'Romans et nouvelles' })).status).toBe(200)
    expect((await admin.put(at, { bar_code: 'R2' })).status).toBe(422)
    expect((await admin.put(at, { bar_code: 'ETAGERE-2' })).status).toBe(200)
    expect((await admin.delete(at)).status).toBe(204)
    await sql`update beneficiaries set reader_id = 'R1' where id = 1`.execute(server.db)
  })

  it('puts no copy’s code on a card, whatever its case, and lets a card be that has one', async () => {
    const reader = await biblio.put('/api/beneficiaries/1', { number: '1009' })
    expect(reader.body.violations).toEqual([
      {
        propertyPath: 'number',
        message:
          'Le numéro de lecteur 1009 est le code-barres d’un exemplaire de «\u00a0Livre numéro 9\u00a0».',
      },
    ])
    await sql`update copies set bar_code = 'AB1009' where bar_code = '1009'`.execute(server.db)
    for (const answer of [
      await biblio.put('/api/relatives/1', { number: 'ab1009' }),
      await biblio.post('/api/beneficiaries', { lastname: 'X', firstname: '', reader_id: 'Ab1009' }),
    ])
      expect(answer.body.violations).toHaveLength(1)
    await sql`update beneficiaries set reader_id = 'ab1009' where id = 1`.execute(server.db)
    expect((await biblio.put('/api/beneficiaries/1', { number: 'ab1009', phone: '01' })).status).toBe(200)
    await sql`update beneficiaries set reader_id = 'R1' where id = 1`.execute(server.db)
    await sql`update copies set bar_code = '1009' where bar_code = 'AB1009'`.execute(server.db)
  })

  // On a distributed engine who waits is seen on another machine.
  it.runIf(process.env['TEST_ENGINE'] === 'postgres' && !isDistributing)(
    'gives a number to one of two who ask for it at once',
    async () => {
      let rival: Promise<Answer> | undefined
      await server.db.transaction().execute(async (trx) => {
        expect(await whyNumberTaken(trx, 'R77', { relative: 1 }, fullVisibility)).toBeNull()
        await trx.updateTable('relatives').set({ reader_id: 'R77' }).where('id', '=', 1).execute()
        rival = biblio.put('/api/beneficiaries/3', { number: 'R77' })
        await Promise.race([rival, someoneWaits()])
      })
      expect((await rival)?.body.violations).toMatchObject([{ propertyPath: 'number' }])
      await biblio.put('/api/relatives/1', { number: 'R2A' })
    },
  )

  const someoneWaits = () =>
    expect
      .poll(async () => {
        const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(server.db)
        return rows.length
      })
      .toBe(1)

  it('changes a reader number, keeps its own, and takes it away', async () => {
    expect((await biblio.put('/api/beneficiaries/1', { number: ' R100 ' })).body.reader_id).toBe('R100')
    expect(await lastJournal()).toMatchObject({
      action: 'beneficiary.update',
      before: { reader_id: 'R1' },
      after: { reader_id: 'R100' },
    })
    expect((await biblio.put('/api/beneficiaries/1', { number: 'R100' })).status).toBe(200)
    expect((await biblio.put('/api/beneficiaries/1', { number: null })).body).toMatchObject({
      reader_id: null,
      label: 'M1 - Martin Alice',
    })
    const behind = await biblio.put('/api/relatives/1', { number: 'R2B', was: 'AUTRE' })
    expect([behind.status, behind.body.reason]).toEqual([409, 'CHANGED_SINCE'])
    expect((await biblio.put('/api/relatives/1', { number: 'R2B', was: 'R2A' })).body).toEqual({
      '@id': '/api/relatives/1',
      '@type': 'Relative',
      id: 1,
      name: 'Zoé Dupont',
      text: 'Zoé Dupont',
      reader_id: 'R2B',
    })
    expect(await lastJournal()).toMatchObject({
      action: 'relative.update',
      entity_id: 1,
      before: { reader_id: 'R2A' },
    })
  })

  it('changes what is named and nothing else', async () => {
    const before = (await biblio.get('/api/beneficiaries/4')).body
    const { body } = await biblio.put('/api/beneficiaries/4', {
      exit_date: '2026-12-31',
      message: 'Carte à refaire',
    })
    expect(body).toEqual({
      ...before,
      exit_date: '2026-12-31',
      message: 'Carte à refaire',
      version: expect.not.stringMatching(before.version),
    })
    expect((await biblio.put('/api/beneficiaries/4', {})).body).toEqual(body)
  })

  it('takes an address that an import takes, and none in an emptied field', async () => {
    const kept = async (email: string) => (await biblio.put('/api/beneficiaries/4', { email })).body.email
    expect(await kept(" o'neil@exemple.fr ")).toBe("o'neil@exemple.fr")
    expect(await kept('  ')).toBeNull()
  })

  it('refuses links to nothing, unknown fields, impossible dates and bad addresses', async () => {
    const refused = await biblio.put('/api/beneficiaries/4', {
      exit_date: '2026-02-30',
      email: 'jean',
      colour: 'bleu',
    })
    expect(refused.status).toBe(422)
    expect(
      refused.body.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath).sort(),
    ).toEqual(['colour', 'email', 'exit_date'])
    expect(
      (await biblio.put('/api/beneficiaries/4', { agency_id: 99 })).body.violations[0].propertyPath,
    ).toBe('agency_id')
    expect((await biblio.put('/api/beneficiaries/999', { number: 'R5' })).status).toBe(404)
    expect((await biblio.put('/api/relatives/999', { number: 'R5' })).status).toBe(404)
  })

  it('lets nobody overwrite what they may not read', async () => {
    const { id } = await server.db
      .insertInto('profiles')
      .values({ name: 'Sans contact' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('profile_rights')
      .values([
        { profile: id, right_code: 'BENEFICIARY_EDIT' },
        { profile: id, right_code: 'LIST_BENEFICIARIES' },
      ])
      .execute()
    await server.db.updateTable('users').set({ profile: id }).where('username', '=', 'lecture').execute()
    const editor = await server.as('lecture')
    expect((await editor.put('/api/beneficiaries/4', { email: 'a@exemple.fr' })).status).toBe(403)
    expect((await editor.put('/api/beneficiaries/4', { address: 'ailleurs' })).status).toBe(403)
    const answer = await editor.put('/api/beneficiaries/4', { firstname: 'Jeanne' })
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('email')
  })

  it('lists agencies, and the values that eligibility uses', async () => {
    await server.db
      .insertInto('sites')
      .values({ name: 'Fermé', enabled: false, gestit_id: null, deleted_at: null })
      .execute()
    expect((await biblio.get('/api/agencies')).body['hydra:member']).toEqual([
      { '@id': '/api/agencies/2', '@type': 'Agency', id: 2, name: 'Annexe' },
      { '@id': '/api/agencies/1', '@type': 'Agency', id: 1, name: 'Centre' },
    ])
    await server.db
      .insertInto('eligibility_values')
      .values(
        ['Écoles', 'Crèches', 'Oublié', 'École du soir'].map((name) => ({
          kind: 'DOSSIER_TYPE' as const,
          name,
        })),
      )
      .execute()
    const eligibility = JSON.stringify({ contracts: [], statuses: [], dossiers: ['Écoles'] })
    await server.db.updateTable('media').set({ eligibility }).where('id', '=', 1).execute()
    await biblio.put('/api/beneficiaries/1', { dossiers: ['Crèches'] })
    const namesOf = async (query: string) =>
      (await biblio.get(`/api/eligibility/list/DOSSIER_TYPE${query}`)).body['hydra:member'].map(
        ({ name }: { name: string }) => name,
      )
    expect(await namesOf('')).toEqual(['Crèches', 'École du soir', 'Écoles', 'Famille', 'Oublié'])
    expect(await namesOf('?inUse=1')).toEqual(['Crèches', 'Écoles', 'Famille'])
    expect(await namesOf('?order[name]=desc&limit=2&page=2&name=cr')).toEqual([])
    expect(await namesOf('?order[name]=desc&limit=2')).toEqual(['Oublié', 'Famille'])
    await biblio.put('/api/beneficiaries/1', { beneficiary_status: 'Salarié' })
    const { body: statuses } = await biblio.get('/api/eligibility/list/BENEFICIAIRE_STATUS')
    expect(statuses['hydra:member'].map(({ name }: { name: string }) => name)).toContain('Salarié')
    const [one] = (await biblio.get('/api/eligibility/list/DOSSIER_TYPE?name|eq=Famille')).body[
      'hydra:member'
    ]
    expect(one).toEqual({
      '@id': `/api/eligibility/list/DOSSIER_TYPE/${one.id}`,
      '@type': 'EligibilityValue',
      id: one.id,
      name: 'Famille',
    })
    expect((await biblio.get('/api/agencies?limit=1&page=2')).body).toMatchObject({
      'hydra:member': [{ name: 'Centre' }],
      'hydra:totalItems': 2,
    })
    expect((await biblio.get('/api/eligibility/list/COULEUR')).status).toBe(404)
  })
})
