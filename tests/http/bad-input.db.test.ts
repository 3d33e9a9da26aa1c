import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const withBody = endpoints.filter(
  ({ body, access, method }) => body && access !== 'public' && method !== 'GET',
)
const device = '2f1e4a52-6d0d-4a3c-9b59-0f7a4a1f9c11'
const addressOf = (path: string) =>
  path
    .replace('{kind}', 'CONTRACT')
    .replace('{code}', 'due')
    .replace('{device_id}', device)
    .replace('{code}', 'late_1')
    .replace(/\{\w+\}/g, '1')

describeServer('bad input', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  describe.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    (_, endpoint) => {
      const send = (rawBody: string, type = 'application/json') =>
        admin.call(endpoint.method, addressOf(endpoint.path), undefined, {
          rawBody,
          headers: { 'content-type': type },
        })

      it('refuses what is not JSON, is of another type, or too large', async () => {
        const broken = await send('{"beneficiary":')
        expect([broken.status, broken.body.message]).toEqual([
          400,
          'Le corps de la requête n’est pas du JSON valable.',
        ])
        expect((await send('<a/>', 'text/xml')).status).toBe(415)
        const deep = await send('['.repeat(1_000_000))
        expect([deep.status, deep.body.message]).toEqual([400, 'Le corps de la requête est trop imbriqué.'])
        expect((await send(`"${'x'.repeat(1_100_000)}"`)).status).toBe(413)
      })

      it('refuses a body that is no object, and fields it does not know, by name', async () => {
        const others = ['"texte"', 'null', '3', ...('listIs' in endpoint ? [] : ['[]'])]
        for (const body of others) expect((await send(body)).status).toBe(422)
        const unknown = await send('{"couleur":"bleu","__proto__":{"x":1},"constructor":1}')
        expect(unknown.status).toBe(422)
        // A call that takes a list says so of an object.
        if (unknown.body.violations[0]?.message === 'La requête doit être une liste.') return
        expect(unknown.body.violations).toContainEqual({
          propertyPath: 'couleur',
          message: 'Le champ «\u00a0couleur\u00a0» n’est pas connu.',
        })
      })
    },
  )

  it('reads a year 0001 as no day', async () => {
    const loan = await admin.post('/api/loanings', { beneficiary: 1, copy: 1, start_date: '0001-01-01' })
    expect([loan.status, loan.body.start_date]).toEqual([201, '2026-03-10'])
    expect((await admin.post(`/api/loanings/${loan.body.id}/cancel`)).status).toBe(200)

    await admin.put('/api/beneficiaries/1', { exit_date: '2030-01-01' })
    const kept = await admin.put('/api/beneficiaries/1', { exit_date: '0001-01-01' })
    expect([kept.status, kept.body.exit_date]).toEqual([200, null])

    const all = await admin.get('/api/loanings')
    const since = await admin.get('/api/loanings?start_date|gte=0001-01-01&start_date|lte=0001-12-31')
    expect([since.status, since.body['hydra:totalItems']]).toEqual([200, all.body['hydra:totalItems']])
    expect((await admin.get('/api/loanings?start_date|gte=0002-01-01')).status).toBe(400)
  })

  it('refuses impossible dates, absurd numbers and links to nothing, each with a sentence', async () => {
    const lend = (body: object) => admin.post('/api/loanings', { beneficiary: 1, copy: 1, ...body })
    const cases: [object, string, RegExp][] = [
      [{ start_date: '2026-02-30' }, 'start_date', /date qui existe/],
      [{ start_date: '2036-01-01' }, 'start_date', /à plus d’un an/],
      [{ duration_value: 1e9 }, 'duration_value', /au plus 1000/],
      [{ duration_value: -1 }, 'duration_value', /au moins 1/],
      [{ duration_value: 1.5 }, 'duration_value', /nombre entier/],
      [{ duration_value: 999, duration_type: 'MONTH' }, 'duration_value', /n’est pas possible/],
      [{ amount: '-1.00' }, 'amount', /montant positif/],
      [{ amount: '1e99' }, 'amount', /montant positif/],
      [{ amount: 3 }, 'amount', /montant/],
      [{ copy: 999_999 }, 'copy', /n’existe pas/],
      [{ copy: '/api/beneficiaries/1' }, 'copy', /lien/],
      [{ copy: 99_999_999_999 }, 'copy', /.+/],
      [{ beneficiary: 999_999 }, 'beneficiary', /n’existe pas/],
      [{ relative: 999_999 }, 'relative', /lecteur/],
      [{ free: true, free_reason: 999_999 }, 'free_reason', /n’existe pas/],
      [{ comment: 'é'.repeat(2001) }, 'comment', /2000 caractères/],
      [{ comment: 'a\u0000b' }, 'comment', /caractère de contrôle/],
      [{ comment: 'a\ud83db' }, 'comment', /caractère de contrôle/],
      [{ occurred_at: '2026-13-45T00:00:00Z' }, 'occurred_at', /instant/],
      [{ device_id: 'x'.repeat(65) }, 'device_id', /64 caractères/],
    ]
    for (const [body, path, message] of cases) {
      const answer = await lend(body)
      expect([body, answer.status]).toEqual([body, 422])
      expect(answer.body.violations[0]).toEqual({
        propertyPath: path,
        message: expect.stringMatching(message),
      })
    }
  })

  it('refuses queries it does not know, by name', async () => {
    const cases: [string, string][] = [
      ['couleur|eq=bleu', 'Le filtre «\u00a0couleur\u00a0» n’est pas connu.'],
      [
        'filters[status|gte]=x',
        'L’opérateur «\u00a0gte\u00a0» n’est pas connu pour le filtre «\u00a0status\u00a0» (eq, in, nil).',
      ],
      [
        'filters[status|eq]=perdu',
        'Le filtre «\u00a0status\u00a0» doit valoir in_progress, finished, cancelled.',
      ],
      ['order[couleur]=asc', 'Le tri par «\u00a0couleur\u00a0» n’est pas connu.'],
      ['order[id]=sideways', 'Le sens du tri par «\u00a0id\u00a0» doit être asc ou desc.'],
      ['page=0', 'Le paramètre «\u00a0page\u00a0» doit être un nombre entier de 1 à 1000000.'],
      ['limit=501', 'Le paramètre «\u00a0limit\u00a0» doit être un nombre entier de 1 à 500.'],
      [
        'start_date|gte=hier',
        'Le filtre «\u00a0start_date\u00a0» doit être une date qui existe, écrite AAAA-MM-JJ.',
      ],
      ['copy|eq=99999999999', 'Le filtre «\u00a0copy\u00a0» doit être un identifiant.'],
      ['copy|eq|again=1', 'Le filtre «\u00a0copy\u00a0» n’est pas connu.'],
      ['filters[copy|eq|again]=1', 'Le filtre «\u00a0copy\u00a0» n’est pas connu.'],
      ['constructor=1', 'Le filtre «\u00a0constructor\u00a0» n’est pas connu.'],
    ]
    for (const [query, message] of cases) {
      const answer = await admin.get(`/api/loanings?${query}`)
      expect([answer.status, answer.body.message]).toEqual([400, message])
    }
  })

  it('answers filters in their three forms alike', async () => {
    await admin.post('/api/loanings', { beneficiary: 1, copy: 7 })
    for (const query of ['filters[copy|eq]=7', 'copy|eq=7', 'copy=7', 'copy|in=7,8', 'copy|in=7&copy|in=8']) {
      expect((await admin.get(`/api/loanings?${query}`)).body['hydra:totalItems']).toBe(1)
    }
  })

  it('keeps an injected name as text, also as a search', async () => {
    const name = `<img src=x onerror="alert(1)">'; drop table loanings; --`
    await sql`update beneficiaries set lastname = ${name} where id = 2`.execute(server.db)
    const found = await admin.get(`/api/beneficiaries?searchname=${encodeURIComponent(name.slice(0, 30))}`)
    expect(found.body['hydra:member'][0].lastname).toBe(name)
    const wild = await admin.get(`/api/beneficiaries?searchname=${encodeURIComponent('%_\\')}`)
    expect([wild.status, wild.body['hydra:totalItems']]).toEqual([200, 0])
  })

  it('answers unknown items and calls with 404, and broken headers with 400', async () => {
    for (const path of [
      '/api/loanings/0',
      '/api/loanings/abc',
      '/api/loanings/99999999999',
      '/api/loanings/424242',
      '/api/nulle-part',
    ]) {
      expect([path, (await admin.get(path)).status]).toEqual([path, 404])
    }
    expect((await admin.get('/api/loanings', { headers: { 'x-site': '-1' } })).status).toBe(400)
    expect((await admin.post('/api/loanings', {}, { key: 'pas-un-uuid' })).status).toBe(400)
  })

  it('sets its security headers on every answer', async () => {
    const { headers } = await admin.get('/api/loanings')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
