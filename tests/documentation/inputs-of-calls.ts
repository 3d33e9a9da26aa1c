import { sql } from 'kysely'
import sharp from 'sharp'

import { issueLoginLink } from '../../src/server/session/password-links.ts'
import type { Client, TestServer } from '../support/test-server.ts'
import { testPassword } from '../support/test-library.ts'

export type Input = {
  /** What stands in the braces of its path. */
  at?: Record<string, string | number>
  query?: string
  body?: unknown
  /** As a form of a page sends it. */
  form?: Record<string, string>
  /** The part `file` of a multipart form. */
  file?: File
}
type Arranged = { server: TestServer; admin: Client }
type InputOf = Input | ((arranged: Arranged) => Promise<Input>)

const idOf = async (asked: Promise<{ status: number; body: { id: number } }>): Promise<number> => {
  const { status, body } = await asked
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.id
}

let copies = 0
/** A copy of its own for each call, so that none stands in another's way. */
const newCopy = (admin: Client, more: object = {}) =>
  idOf(admin.post('/api/copies', { reference: 1, site: 1, bar_code: `A${(copies += 1)}`, ...more }))
const newLoan = async (admin: Client) =>
  idOf(admin.post('/api/loanings', { beneficiary: 4, copy: await newCopy(admin), duration_value: 2 }))
const newReservation = (admin: Client, beneficiary_id: number, reference_id: number) =>
  idOf(admin.post('/api/reservations', { beneficiary_id, reference_id }))
let names = 0
const newName = () => `Nommé ${(names += 1)}`
const newItem = (admin: Client, collection: string, more: object = {}) =>
  idOf(admin.post(`/api/${collection}`, { name: newName(), ...more }))
const firstOf = async (admin: Client, path: string): Promise<{ id: number; code: string }> =>
  (await admin.get(path)).body['hydra:member'][0]

/** A list that has one at least. */
const listOf =
  (make: (admin: Client) => Promise<number>): InputOf =>
  async ({ admin }) => {
    await make(admin)
    return {}
  }
/** A call about an item that is made for it. */
const ofNew =
  (make: (admin: Client) => Promise<number>, more: Input = {}): InputOf =>
  async ({ admin }) => ({ ...more, at: { id: await make(admin) } })
const ofFirst =
  (path: string, more: Input = {}): InputOf =>
  async ({ admin }) => ({ ...more, at: { id: (await firstOf(admin, path)).id } })

const cover = async () =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 20, height: 30, channels: 3, background: '#0b4f3f' } })
          .png()
          .toBuffer(),
      ),
    ],
    'couverture.png',
    { type: 'image/png' },
  )

const listType = (admin: Client) => newItem(admin, 'list_types', { group: 'author' })
const listValue = async (admin: Client) => newItem(admin, 'list_values', { type: await listType(admin) })
const reason = (admin: Client) => newItem(admin, 'reasons', { type: 'delay' })
const keyword = (admin: Client) => newItem(admin, 'keywords')
const category = (admin: Client) => newItem(admin, 'categories')
const medium = (admin: Client) => newItem(admin, 'media')
const location = (admin: Client) => idOf(admin.post('/api/locations', { label: newName() }))

/** What each call is asked with; a call that is not here takes nothing. */
export const inputsOfCalls: Record<string, InputOf> = {
  'GET /api/image/env/{environment_id}': { at: { environment_id: 1 } },
  'POST /auth': { body: { username: 'biblio', password: testPassword } },
  'POST /api/login_check': { body: { username: 'biblio@1', password: testPassword } },
  'POST /api/login_link': async ({ server }) => ({
    body: { token: await server.db.transaction().execute((trx) => issueLoginLink(trx, 2, server.now)) },
  }),
  'POST /resetting/send-email': { form: { username: 'biblio' } },
  'POST /resetting/reset/{token}': async ({ server }) => {
    await server.anonymous.post('/resetting/send-email', { username: 'lecture' })
    const { rows } = await sql<{ html: string }>`select html from mail_outbox
      where to_address = 'lecture@exemple.fr' and template = 'password_reset'`.execute(server.db)
    const token = /reset\/password\/([\w-]{43})/.exec(rows[0]?.html ?? '')?.[1] ?? 'none'
    return { at: { token }, form: { password: 'vélo-jaune-sous-la-pluie' } }
  },
  'POST /api/change-password': async ({ server }) => {
    await sql`update users set password_hash = (select password_hash from users where username = 'biblio')
      where username = 'admin'`.execute(server.db)
    return { body: { current_password: testPassword, new_password: 'quatre-chaises-vertes-1962' } }
  },
  'GET /api/parameters': { query: 'filters[code|eq]=work_council' },
  'PUT /api/parameters/{id}': ofFirst('/api/parameters?code=work_council', { body: { value: 'Amicale' } }),
  'POST /api/parameters/update': { body: [{ code: 'fast_input', value: '1' }] },
  'PUT /api/translations/{id}': ofFirst('/api/translations', { body: { translation: 'Adhérent' } }),
  'GET /api/references': { query: 'with_copies=1&order[created_at]=desc' },
  'GET /api/references/{id}': { at: { id: 1 } },
  'POST /api/references': { body: { name: 'Zazie dans le métro', price: '0.30' } },
  'PUT /api/references/{id}': { at: { id: 2 }, body: { description: 'Un roman' } },
  'DELETE /api/references/{id}': ofNew((admin) => newItem(admin, 'references')),
  'POST /api/references/{id}/image': async () => ({ at: { id: 3 }, file: await cover() }),
  'GET /api/image/references/{id}': { at: { id: 3 } },
  'POST /api/references/upload': {
    file: new File(['titre;année\nLa Peste;1947\n;1948\n'], 'catalogue.csv', { type: 'text/csv' }),
  },
  'PUT /api/reference_fields/{id}': ofFirst('/api/reference_fields', { body: { traduction: 'Cote' } }),
  'GET /api/external_codes/{code}': { at: { code: '9782070360024' } },
  'GET /api/copies': { query: 'filters[reference|eq]=1&order[bar_code]=asc' },
  'POST /api/copies': { body: { reference: '/api/references/1', site: 1, bar_code: 'B1' } },
  'PUT /api/copies/{id}': ofNew(newCopy, { body: { site: 2 } }),
  'DELETE /api/copies/{id}': ofNew(newCopy),
  'GET /api/waiting_list/copy/{copy}': { at: { copy: 1 } },
  'GET /api/export/bar_codes': { query: 'type=next&limit=2&site=1' },
  'GET /api/sites/{id}': { at: { id: 1 } },
  'PUT /api/sites/{id}': {
    at: { id: 1 },
    body: { bar_codes_configuration: { siteCode: 'C', firstValue: '0001' } },
  },
  'GET /api/sites/{id}/next_bar_code': { at: { id: 1 } },
  'GET /api/loanings': listOf(newLoan),
  'GET /api/loanings/{id}': ofNew(newLoan),
  'POST /api/loanings': async ({ admin }) => ({
    body: {
      beneficiary: '/api/beneficiaries/2',
      relative: 1,
      copy: `/api/copies/${await newCopy(admin)}`,
      duration_type: 'WEEK',
      duration_value: 2,
      start_date: '2026-03-10',
      comment: '',
      amount: '0.25',
    },
  }),
  'PUT /api/loanings/{id}': ofNew(newLoan, {
    body: { start_date: '2026-03-09', comment: 'Prêté la veille', duration_value: 3 },
  }),
  'DELETE /api/loanings/{id}': ofNew(newLoan),
  'POST /api/loanings/{id}/cancel': ofNew(newLoan),
  'POST /api/loanings/{id}/extend': ofNew(newLoan, { body: { duration_value: 1 } }),
  'POST /api/loanings/{id}/delay': async ({ admin }) => ({
    at: { id: await newLoan(admin) },
    body: { delay_reason: await reason(admin), delay_comment: 'En voyage' },
  }),
  'POST /api/loanings/{id}/return': ofNew(newLoan, {
    body: { return_comment: 'Couverture pliée', state: 'GOOD', penalty: true },
  }),
  'POST /api/loanings/{id}/undo': ofNew(newLoan),
  'POST /api/loanings/fast': async ({ admin }) => ({ body: { beneficiary: 1, copy: await newCopy(admin) } }),
  'GET /api/eligibility': { query: 'beneficiary=1&copy=1' },
  'GET /api/beneficiaries/autocomplete': { query: 'searchname=martin&limit=10' },
  'GET /api/beneficiaries/{id}': { at: { id: 1 } },
  'POST /api/beneficiaries': { body: { lastname: 'Duras', firstname: 'Marguerite' } },
  'PUT /api/beneficiaries/{id}': { at: { id: 1 }, body: { number: 'R1-bis' } },
  'POST /api/beneficiaries/{id}/remind': async ({ server, admin }) => {
    await lateLoan({ server, admin })
    return { at: { id: 1 } }
  },
  'PUT /api/relatives/{id}': { at: { id: 1 }, body: { number: 'R2B' } },
  'GET /api/eligibility/list/{kind}': async ({ admin }) => {
    await admin.put('/api/beneficiaries/1', { dossiers: ['Boursier'] })
    return { at: { kind: 'DOSSIER_TYPE' }, query: 'inUse=1' }
  },
  'POST /api/mail': async ({ admin }) => ({
    body: {
      loaning: await idOf(admin.post('/api/loanings', { beneficiary: 1, copy: await newCopy(admin) })),
      template: 'loaning_creation',
    },
  }),
  'POST /api/sales': async ({ admin }) => ({
    body: { beneficiary: 1, copy: await newCopy(admin, { type: 'Vente' }) },
  }),
  'GET /api/reservations': listOf((admin) => newReservation(admin, 2, 4)),
  'GET /api/reservations/{id}': ofNew((admin) => newReservation(admin, 1, 4)),
  'POST /api/reservations': {
    body: { beneficiary_id: 1, reference_id: 5, copy_id: 5, start_date: null, end_date: null },
  },
  'PUT /api/reservations/{id}': ofNew((admin) => newReservation(admin, 1, 6), {
    body: { status: 'canceled' },
  }),
  'DELETE /api/reservations/{id}': ofNew((admin) => newReservation(admin, 1, 7)),
  'GET /api/list_values': async ({ admin }) => {
    await listValue(admin)
    return { query: 'enabled=1&name|like=nomme&page=1' }
  },
  'POST /api/list_values': async ({ admin }) => ({ body: { name: 'Pef', type: await listType(admin) } }),
  'PUT /api/list_values/{id}': ofNew(listValue, { body: { name: 'Claude Ponti' } }),
  'DELETE /api/list_values/{id}': ofNew(listValue),
  'GET /api/list_values/{id}/toggle': ofNew(listValue),
  'GET /api/list_values/{source}/merge/{target}': async ({ admin }) => {
    const type = await listType(admin)
    const [source, target] = [
      await newItem(admin, 'list_values', { type }),
      await newItem(admin, 'list_values', { type }),
    ]
    return { at: { source, target } }
  },
  'POST /api/list_types': { body: { name: 'Coloriste', group: 'author' } },
  'PUT /api/list_types/{id}': ofNew(listType, { body: { name: 'Lettreur' } }),
  'DELETE /api/list_types/{id}': ofNew(listType),
  'GET /api/list_types/{id}/toggle': ofNew(listType),
  'GET /api/list_types/{id}/links': ofNew(listType),
  'POST /api/users': {
    body: { username: 'colette', role: 'Bénévole', password: 'six-pommes-rouges-1954' },
  },
  'PUT /api/users/{id}': { at: { id: 3 }, body: { role: 'Consultation' } },
  'POST /api/categories': { body: { name: 'Polar' } },
  'PUT /api/categories/{id}': { at: { id: 1 }, body: { name: 'Romans' } },
  'DELETE /api/categories/{id}': ofNew(category),
  'GET /api/locations': listOf(location),
  'POST /api/locations': { body: { label: 'Travée 3' } },
  'PUT /api/locations/{id}': ofNew(location, { body: { label: 'Travée 4' } }),
  'DELETE /api/locations/{id}': ofNew(location),
  'GET /api/reasons': { query: 'filters[type|eq]=delay' },
  'POST /api/reasons': { body: { name: 'Grève des trains', type: 'delay' } },
  'PUT /api/reasons/{id}': ofNew(reason, { body: { name: 'Vacances' } }),
  'DELETE /api/reasons/{id}': ofNew(reason),
  'POST /api/reasons/{id}/toggle': ofNew(reason),
  'GET /api/keywords': listOf(keyword),
  'POST /api/keywords': { body: { name: 'Jardin' } },
  'PUT /api/keywords/{id}': ofNew(keyword, { body: { name: 'Verger' } }),
  'DELETE /api/keywords/{id}': ofNew(keyword),
  'POST /api/keywords/{id}/toggle': ofNew(keyword),
  'POST /api/media': { body: { name: 'Jeu' } },
  'PUT /api/media/{id}': async () => ({
    at: { id: 2 },
    body: { analytic: [{ site: 1, analytic: 'DVD-1' }] },
  }),
  'DELETE /api/media/{id}': ofNew(medium),
  'POST /api/media/{id}/toggle': ofNew(medium),
  'DELETE /api/media/{id}/images_sources': { at: { id: 1 } },
  'POST /api/medium/{id}/upload': async ({ admin }) => ({
    at: { id: await newItem(admin, 'media', { loaning_conditions_label: 'Lire la notice' }) },
    file: new File(['%PDF-1.7\nune\n%%EOF\n'], 'conditions.pdf', { type: 'application/pdf' }),
  }),
  'PUT /api/profiles/{id}': ofFirst('/api/profiles?name=Consultation', {
    body: { rights: ['LIST_REFERENCES'] },
  }),
  'PUT /api/mail_templates/{id}': ofFirst('/api/mail_templates?type=object&code=loaning_creation', {
    body: { content: 'Votre prêt', enabled: true },
  }),
  'GET /api/stats/loanings': { query: 'site=1' },
  'GET /api/filters/all': { query: 'list=loanings' },
  'GET /api/filters/mine': { query: 'list=loanings' },
  'POST /api/filters': async ({ admin }) => ({
    body: {
      list: 'loanings',
      filters: [(await firstOf(admin, '/api/filters/all?list=loanings')).code],
    },
  }),
}

/** Lent long ago, to somebody with an address. */
async function lateLoan({ server, admin }: Arranged): Promise<void> {
  const id = await idOf(admin.post('/api/loanings', { beneficiary: 1, copy: await newCopy(admin) }))
  await sql`update loanings set start_date = '2026-01-05', end_date = '2026-01-26' where id = ${id}`.execute(
    server.db,
  )
}
