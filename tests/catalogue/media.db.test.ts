import { existsSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { media } from '../../src/contract/media.ts'
import { describeResource } from '../support/describe-resource.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeResource(media, {
  one: { name: 'Bande dessinée', duration: 3, duration_type: 'WEEK', penalty_amount: null },
  other: { name: 'Jeu de société', duration: 1, duration_type: 'MONTH' },
  unique: 'name',
  use: ({ db }, id, count) => sql`update "references" set medium = ${id} where id <= ${count}`.execute(db),
})

describeServer('media and their rules', (server) => {
  let admin: Client
  let lecture: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    lecture = await server.as('lecture')
  })
  const add = async (body: object) => {
    const answer = await admin.post('/api/media', body)
    expect(answer.status).toBe(201)
    return answer.body as { id: number } & Record<string, unknown>
  }
  const violationsOf = (answer: { status: number; body: { violations?: object[] } }) => {
    expect(answer.status).toBe(422)
    return answer.body.violations
  }

  it('keeps every field of the entity', async () => {
    const rules = {
      name: 'Outil',
      code: 'OUT',
      accounting_code: '706100',
      enabled: false,
      duration: 2,
      duration_type: 'CYCLE',
      start_day: 1,
      end_day: 7,
      penalty_enabled: true,
      penalty_amount: '1.50',
      penalty_duration_type: 'WEEK',
      max_loaning: 3,
      max_late: 0,
      max_renewals: 2,
      online_booking_enabled: true,
      loaning_conditions_enabled: true,
      loaning_conditions_label: 'Chèque de caution',
      eligibility: { contracts: ['CDI'], statuses: ['Actif'], dossiers: ['Caution'] },
      analytic: [
        { site: 1, analytic: 'A-1' },
        { site: 2, analytic: 'A-2' },
      ],
    }
    const added = await add({ ...rules, penalty_amount: '1.5' })
    expect(added).toMatchObject({
      ...rules,
      ref_count: 0,
      images_sources: null,
      loaning_conditions_file: null,
    })
    const blank = {
      start_day: null,
      end_day: null,
      max_late: null,
      max_renewals: null,
      accounting_code: '',
      eligibility: {},
    }
    const emptied = await admin.put(`/api/media/${added.id}`, blank)
    expect(emptied).toMatchObject({
      status: 200,
      body: {
        ...rules,
        ...blank,
        accounting_code: null,
        eligibility: { contracts: [], statuses: [], dossiers: [] },
      },
    })
  })

  it('asks conditions for their label, whichever of the two is written', async () => {
    const missing = [
      { propertyPath: 'loaning_conditions_label', message: 'Donnez un libellé aux conditions de prêt.' },
    ]
    const asked = { name: 'Avec conditions', loaning_conditions_enabled: true }
    expect(violationsOf(await admin.post('/api/media', asked))).toEqual(missing)
    const { id } = await add({ ...asked, loaning_conditions_label: 'À lire' })
    expect(violationsOf(await admin.put(`/api/media/${id}`, { loaning_conditions_label: ' ' }))).toEqual(
      missing,
    )
    await admin.put(`/api/media/${id}`, { loaning_conditions_enabled: false, loaning_conditions_label: null })
    expect(violationsOf(await admin.put(`/api/media/${id}`, { loaning_conditions_enabled: true }))).toEqual(
      missing,
    )
  })

  it('empties the amount of a penalty that is off', async () => {
    const { id, ...added } = await add({ name: 'Sans pénalité', penalty_amount: '2.00' })
    expect(added['penalty_amount']).toBeNull()
    await admin.put(`/api/media/${id}`, { penalty_enabled: true, penalty_amount: '2.00' })
    const off = await admin.put(`/api/media/${id}`, { penalty_enabled: false })
    expect(off.body).toMatchObject({ penalty_enabled: false, penalty_amount: null })
    const sentEmpty = await admin.put(`/api/media/${id}`, { penalty_enabled: false, penalty_amount: '' })
    expect(sentEmpty).toMatchObject({ status: 200, body: { penalty_amount: null } })
  })

  it.each([
    ['start_day', 0],
    ['start_day', 8],
    ['end_day', 1.5],
    ['duration', 0],
    ['duration_type', 'YEAR'],
    ['penalty_amount', 1.5],
    ['penalty_amount', '1,50'],
    ['penalty_duration_type', 'CYCLE'],
    ['max_loaning', -1],
    ['loaning_conditions_file', 'conditions/autre.pdf'],
    ['analytic', [{ site: 99, analytic: 'X' }]],
    ['analytic', [{ site: 1, analytic: 'X' }, { site: 1, analytic: 'Y' }]], // prettier-ignore
  ])('refuses %s %j at its field', async (field, value) => {
    const refused = violationsOf(await admin.put('/api/media/1', { [field]: value }))
    expect(refused).toMatchObject([{ propertyPath: field }])
  })

  it('names the field of a code that another medium has, in either case', async () => {
    const { id } = await add({ name: 'Liseuse', code: 'LIS' })
    const taken = [{ propertyPath: 'code', message: 'Un support porte déjà ce code.' }]
    expect(violationsOf(await admin.post('/api/media', { name: 'Autre liseuse', code: 'lis' }))).toEqual(
      taken,
    )
    expect(violationsOf(await admin.put('/api/media/2', { code: 'Lis' }))).toEqual(taken)
    await admin.delete(`/api/media/${id}`)
    await add({ name: 'Autre liseuse', code: 'lis' })
    await add({ name: 'Sans code', code: '' })
    await add({ name: 'Sans code non plus', code: '' })
  })

  it('remembers names that readers may be given', async () => {
    await add({ name: 'Réservé', eligibility: { contracts: ['Saisonnier'], dossiers: ['Atelier'] } })
    const named = async (kind: string) =>
      (await lecture.get(`/api/eligibility/list/${kind}`)).body['hydra:member'].map(
        ({ name }: { name: string }) => name,
      )
    expect(await named('CONTRACT')).toContain('Saisonnier')
    expect(await named('DOSSIER_TYPE')).toContain('Atelier')
  })

  it('decides the next loan, and reaches devices, as soon as it has changed', async () => {
    const snapshot = async (since = '') => (await admin.get(`/api/snapshot?site=0${since}`)).body
    const whole = await snapshot()
    expect(whole.complete).toBe(true)
    await admin.put('/api/media/1', { duration: 10, duration_type: 'DAY', max_loaning: 2 })
    const later = await snapshot(`&since=${encodeURIComponent(whole.cursor)}`)
    expect(later.settings.media.find(({ id }: { id: number }) => id === 1)).toMatchObject({
      duration: 10,
      duration_type: 'DAY',
      max_loaning: 2,
    })
    const lend = (copy: number) => admin.post('/api/loanings', { copy, beneficiary: 1 })
    expect((await lend(1)).body).toMatchObject({ start_date: '2026-03-10', end_date: '2026-03-20' })
    expect((await lend(2)).status).toBe(201)
    const refusalOf = async (copy: number) => {
      const { status, body } = await lend(copy)
      expect(status).toBe(422)
      return body['hydra:description'] as string
    }
    expect(await refusalOf(3)).toContain('«\u00a0Livre\u00a0» est atteint (2)')
    await admin.put('/api/media/1', { max_loaning: null, eligibility: { contracts: ['CDD'] } })
    expect(await refusalOf(3)).toContain('Le contrat du lecteur')
    // A medium that is off goes on being lent.
    await admin.put('/api/media/1', { enabled: false, eligibility: { contracts: [] } })
    expect((await lend(3)).status).toBe(201)
    const lines = await server.db
      .selectFrom('audit_journal')
      .select(['entity', 'entity_id'])
      .where('action', '=', 'media.change')
      .where('entity_id', '=', 1)
      .execute()
    expect(lines).toEqual([1, 2, 3].map(() => ({ entity: 'media', entity_id: 1 })))
  })

  it('sets codes per site and lists them as triples', async () => {
    const { id } = await add({ name: 'Partition', analytic: [{ site: '/api/sites/2', analytic: 'MUS-2' }] })
    const { body } = await lecture.get(`/api/analytic?medium=${id}`)
    expect(body).toEqual({
      'hydra:member': [
        {
          '@id': `/api/analytic/${id}-2`,
          '@type': 'Analytic',
          id: `${id}-2`,
          medium: { id, name: 'Partition' },
          site: { id: 2, name: 'Annexe' },
          analytic: 'MUS-2',
        },
      ],
      'hydra:totalItems': 1,
    })
    await admin.put(`/api/media/${id}`, { analytic: [{ site: 2, analytic: ' ' }] })
    expect((await lecture.get(`/api/analytic?medium=${id}`)).body['hydra:totalItems']).toBe(0)
  })

  describe('its references', () => {
    it('pass to another medium, which the journal tells, and the first can then be deleted', async () => {
      const { id } = await add({ name: 'DVD bonus' })
      await sql`update "references" set medium = ${id} where id in (11, 12)`.execute(server.db)
      const refused = await admin.delete(`/api/media/${id}`)
      expect(refused).toMatchObject({ status: 409, body: { reason: 'IN_USE', facts: { count: 2 } } })
      expect(refused.body.message).toBe(
        '2 références sont de ce support\u202f: désactivez-le, ou donnez-leur-en un autre.',
      )
      const moved = await admin.post(`/api/media/${id}/move`, { medium: '/api/media/2' })
      expect(moved).toMatchObject({ status: 200, body: { id, ref_count: 0 } })
      const line = await server.db
        .selectFrom('audit_journal')
        .select(['action', 'entity', 'before', 'after'])
        .where('entity_id', '=', id)
        .orderBy('id', 'desc')
        .executeTakeFirst()
      expect(line).toEqual({
        action: 'media.move',
        entity: 'media',
        before: { medium: id, ref_count: 2 },
        after: { medium: 2, ref_count: 2 },
      })
      expect((await admin.delete(`/api/media/${id}`)).status).toBe(204)
      expect((await lecture.get('/api/media?id=2')).body['hydra:member'][0].ref_count).toBe(5)
    })

    it('pass to no medium that is not there, nor to itself', async () => {
      for (const medium of [2, 999]) {
        expect(violationsOf(await admin.post('/api/media/2/move', { medium }))).toMatchObject([
          { propertyPath: 'medium' },
        ])
      }
      expect((await admin.post('/api/media/999/move', { medium: 2 })).status).toBe(404)
      expect((await lecture.post('/api/media/2/move', { medium: 1 })).status).toBe(403)
    })
  })

  describe('the file of its conditions', () => {
    const pdf = (text: string) => `%PDF-1.7\n${text}\n%%EOF\n`
    async function send(id: number, text: string, { type = 'application/pdf', as = admin } = {}) {
      const form = new FormData()
      form.set('file', new File([text], 'conditions.pdf', { type }))
      const response = await server.app.request(`/api/medium/${id}/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as.token}` },
        body: form,
      })
      return { status: response.status, body: await response.json() }
    }

    it('is served to whoever is signed in, at an address that changes with it', async () => {
      const { id } = await add({ name: 'Télescope', loaning_conditions_label: 'Lire la notice' })
      const first = await send(id, pdf('une'))
      expect(first.status).toBe(200)
      const address = first.body.loaning_conditions_file as string
      expect(address).toMatch(new RegExp(`^/api/media/${id}/conditions\\?version=[0-9a-f]{32}$`))
      const read = await lecture.get(address)
      expect(read.body.toString()).toBe(pdf('une'))
      expect(read.headers.get('content-type')).toBe('application/pdf')
      expect(read.headers.get('content-disposition')).toBe('attachment; filename="conditions-telescope.pdf"')
      expect((await server.anonymous.get(address)).status).toBe(401)

      const second = await send(id, pdf('deux'))
      expect(second.body.loaning_conditions_file).not.toBe(address)
      expect((await lecture.get(second.body.loaning_conditions_file)).body.toString()).toBe(pdf('deux'))
      expect((await lecture.get(address)).status).toBe(404)
      const lines = await server.db
        .selectFrom('audit_journal')
        .select('action')
        .where('entity_id', '=', id)
        .where('action', '=', 'media.upload')
        .execute()
      expect(lines).toHaveLength(2)

      const removed = await admin.put(`/api/media/${id}`, { loaning_conditions_file: null })
      expect(removed.body.loaning_conditions_file).toBeNull()
      expect((await lecture.get(`/api/media/${id}/conditions`)).status).toBe(404)
    })

    it.runIf(existsSync('/proc/self/fd'))(
      'leaves no file open for who only asks whether it is there',
      async () => {
        const { id } = await add({ name: 'Microscope', loaning_conditions_label: 'Lire la notice' })
        const { body } = await send(id, pdf('seule'))
        const version = /version=(\w+)$/.exec(body.loaning_conditions_file)![1]
        const openFiles = async () => {
          const all = await readdir('/proc/self/fd')
          const names = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
          return names.filter((name) => name.endsWith('.pdf')).length
        }
        for (const path of [`/api/conditions/${version}`, body.loaning_conditions_file]) {
          for (let n = 0; n < 20; n++) {
            const head = await server.app.request(path, {
              method: 'HEAD',
              headers: { authorization: `Bearer ${admin.token}` },
            })
            expect(head.status).toBe(200)
          }
        }
        expect(await openFiles()).toBe(0)
        expect((await server.anonymous.get(`/api/conditions/${version}`)).body.toString()).toBe(pdf('seule'))
      },
    )

    it('is a PDF, of a medium that is there, given by whoever may', async () => {
      const ofFile = [{ propertyPath: 'file' }]
      expect(violationsOf(await send(1, '<html></html>'))).toMatchObject(ofFile)
      expect(violationsOf(await send(1, pdf('x'), { type: 'text/html' }))).toMatchObject(ofFile)
      expect((await send(999, pdf('x'))).status).toBe(404)
      expect((await send(1, pdf('x'), { as: lecture })).status).toBe(403)
    })
  })
})
