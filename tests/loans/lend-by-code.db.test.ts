import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('lending by the codes that a device read', (server) => {
  let biblio: Client
  beforeAll(async () => {
    await sql`insert into copies (reference, bar_code, site) values
      (1, '31555510000017', 1), (2, 'A7700123B', 1), (3, 'bib-000042', 1), (4, '0123456789012', 1)`.execute(
      server.db,
    )
    await sql`update beneficiaries set reader_id = '21555510000019' where id = 1`.execute(server.db)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    biblio = await server.as('biblio')
    await sql`truncate loanings, reservations restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible', deleted_at = null`.execute(server.db)
  })

  const lend = (body: object, options = {}) => biblio.post('/api/loanings', body, options)

  it.each([
    ['as it stands on the label', '31555510000017', '31555510000017'],
    ['behind its AIM identifier', ']C031555510000017', '31555510000017'],
    ['as keys of a French keyboard', '"&((((&ààààà&è', '31555510000017'],
    ['with the guards of its label', 'A7700123B', 'A7700123B'],
    ['in the other case', 'BIB-000042', 'bib-000042'],
    ['without the zero of a UPC', '123456789012', '0123456789012'],
  ])('finds a copy %s', async (_, copy_code, copy_barcode) => {
    expect(await lend({ beneficiary: 1, copy_code })).toMatchObject({ status: 201, body: { copy_barcode } })
  })

  it.each([
    ['by their card', '21555510000019', { beneficiary: 1, relative: null }],
    ['by a relative’s card', 'R2A', { beneficiary: 2, relative: { id: 1, name: 'Zoé Dupont' } }],
    ['by their matricule, in the other case', 'm4', { beneficiary: 4, relative: null }],
  ])('finds a reader %s', async (_, beneficiary_code, body) => {
    expect(await lend({ beneficiary_code, copy: 1 })).toMatchObject({ status: 201, body })
  })

  it('goes by the card before the matricule', async () => {
    await sql`update beneficiaries set matricule = 'R4' where id = 2`.execute(server.db)
    expect(await lend({ beneficiary_code: 'R4', copy: 1 })).toMatchObject({ body: { beneficiary: 4 } })
    await sql`update beneficiaries set matricule = 'M2' where id = 2`.execute(server.db)
  })

  it('gives the days and the terms of when it happened', async () => {
    const asked = {
      beneficiary_code: '21555510000019',
      copy_code: '1002',
      occurred_at: '2026-03-05T09:00:00Z',
    }
    expect(await lend(asked)).toMatchObject({
      status: 201,
      body: {
        start_date: '2026-03-05',
        end_date: '2026-03-26',
        end_date_flagged: false,
        lent_at: '2026-03-05T09:00:00.000Z',
      },
    })
  })

  it('says which of the two nobody carries, the reader first', async () => {
    const refused = async (body: object) => {
      const answer = await lend(body)
      return [answer.status, answer.body['reason'], answer.body['message']]
    }
    const noReader = [409, 'READER_UNKNOWN', 'Aucun lecteur n’a cette carte ni ce matricule.']
    expect(await refused({ beneficiary_code: 'R99', copy_code: '9999' })).toEqual(noReader)
    expect(await refused({ beneficiary_code: 'R99', copy: 1 })).toEqual(noReader)
    expect(await refused({ beneficiary_code: 'R2', copy_code: '9999' })).toEqual([
      409,
      'COPY_UNKNOWN',
      'Aucun exemplaire ne porte le code «\u00a09999\u00a0».',
    ])
  })

  it('finds nobody who was deleted, and says that a copy was withdrawn', async () => {
    await sql`update beneficiaries set deleted_at = now() where id = 4`.execute(server.db)
    await sql`update copies set deleted_at = now() where bar_code = '1003'`.execute(server.db)
    const gone = await lend({ beneficiary_code: 'R4', copy: 1 })
    expect(gone.body).toMatchObject({ reason: 'READER_UNKNOWN' })
    expect((await lend({ beneficiary: 1, copy_code: '1003' })).body).toMatchObject({
      reason: 'COPY_WITHDRAWN',
    })
    await sql`update beneficiaries set deleted_at = null where id = 4`.execute(server.db)
  })

  it('keeps to the rules, as for a copy and a reader that it is told', async () => {
    expect((await lend({ beneficiary_code: 'R3', copy_code: '1004' })).body).toMatchObject({
      reason: 'NOT_ELIGIBLE',
      facts: { copy: 4, beneficiary: 3 },
    })
    await lend({ beneficiary_code: 'R2', copy_code: '1005' })
    expect((await lend({ beneficiary_code: 'R4', copy_code: '1005' })).body).toMatchObject({
      reason: 'ALREADY_LENT',
    })
  })

  it('lends once under one key', async () => {
    const key = randomUUID()
    const body = { beneficiary_code: 'R2', copy_code: '1006' }
    const [first, again] = [await lend(body, { key }), await lend(body, { key })]
    expect(again).toMatchObject({ status: 201, body: { id: first.body['id'] } })
    expect((await lend({ ...body, copy_code: '1007' }, { key })).body).toMatchObject({ reason: 'KEY_REUSED' })
  })

  it('takes back by the code under which it was lent', async () => {
    const lent = await lend({ beneficiary: 1, copy_code: 'BIB-000042' })
    const back = await biblio.post('/api/loanings/return', { bar_code: 'BIB-000042' })
    expect(back).toMatchObject({ status: 200, body: { id: lent.body['id'], status: 'finished' } })
  })

  it.each([
    ['copy', { beneficiary: 1 }, 'Le champ «\u00a0copy\u00a0» est obligatoire, ou «\u00a0copy_code\u00a0».'],
    [
      'beneficiary',
      { copy_code: '1001' },
      'Le champ «\u00a0beneficiary\u00a0» est obligatoire, ou «\u00a0beneficiary_code\u00a0».',
    ],
    [
      'copy_code',
      { beneficiary: 1, copy: 1, copy_code: '1001' },
      'Le champ «\u00a0copy_code\u00a0» ne va pas avec «\u00a0copy\u00a0».',
    ],
    [
      'beneficiary_code',
      { beneficiary: 1, beneficiary_code: 'R1', copy: 1 },
      'Le champ «\u00a0beneficiary_code\u00a0» ne va pas avec «\u00a0beneficiary\u00a0».',
    ],
  ])('takes a number or a code, and names %s otherwise', async (propertyPath, body, message) => {
    const { status, body: answer } = await lend(body)
    expect(status).toBe(422)
    expect(answer['violations']).toEqual([{ propertyPath, message }])
  })

  describe('for a person of one site', () => {
    beforeAll(async () => {
      await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'biblio'`.execute(
        server.db,
      )
      await setParameter(server, 'by_site_beneficiaries', '1')
    })

    it('finds neither a copy nor a reader of a site that is closed to them', async () => {
      expect((await lend({ beneficiary: 1, copy_code: '2001' })).body).toMatchObject({
        reason: 'COPY_UNKNOWN',
      })
      expect((await lend({ beneficiary_code: 'R4', copy: 1 })).body).toMatchObject({
        reason: 'READER_UNKNOWN',
      })
      expect(await lend({ beneficiary_code: 'R2', copy_code: '1001' })).toMatchObject({ status: 201 })
    })

    it('links no refused loan to such a reader', async () => {
      const link = (beneficiary_code: string) =>
        biblio.post('/api/conflicts/settle', {
          resolves: randomUUID(),
          choice: 'LINK_READER',
          beneficiary_code,
          action: { endpoint: 'loanings.lend', body: { beneficiary_code: 'R99', copy_code: '1002' } },
        })
      expect((await link('R4')).body).toMatchObject({ reason: 'READER_UNKNOWN' })
      expect(await link('R2')).toMatchObject({ status: 200, body: { loaning: { beneficiary: 2 } } })
    })
  })
})
