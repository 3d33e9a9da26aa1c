import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('an import that goes wrong, or is not for everybody', (server) => {
  let admin: Client
  let works: ReturnType<typeof importing>
  let readers: ReturnType<typeof importing>
  let loans: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    works = importing(server, admin)
    readers = importing(server, admin, 'readers')
    loans = importing(server, admin, 'loans')
  })

  it('refuses a word of every object as a value that is none', async () => {
    const done = await works.whole('a.csv', 'titre;public visé\nUn;constructor\nDeux;adulte\n')
    expect(done).toMatchObject({ status: 'done', counts: { added: 1, refused: 1 } })
  })

  it('refuses a copy whose bar code is one of a closed site', async () => {
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin'`.execute(
      server.db,
    )
    const done = await works.whole('ferme.csv', 'titre;code-barres\nAilleurs;2001\n', { site: 1 })
    expect(await works.refusals(done.id)).toEqual([
      {
        line: 2,
        field: 'copy.bar_code',
        reason: 'Le code-barres 2001 est celui d’un exemplaire d’un autre site.',
      },
    ])
    await sql`delete from user_sites`.execute(server.db)
  })

  it('makes no copy of a card, and no card of a copy', async () => {
    const copies = await works.whole('cartes.csv', 'titre;code-barres\nCarte;r1\n', { site: 1 })
    expect(await works.refusals(copies.id)).toEqual([
      { line: 2, field: 'copy.bar_code', reason: 'Le code-barres r1 est celui d’une carte de lecteur.' },
    ])
    const cards = await readers.whole('codes.csv', 'nom;carte\nDuval;1001\n', { site: 1 })
    expect(await readers.refusals(cards.id)).toMatchObject([
      {
        line: 2,
        field: 'reader_id',
        reason: expect.stringMatching(/^Le numéro de lecteur 1001 est le code-barres d’un exemplaire/),
      },
    ])
  })

  it('speaks of the lines below for a card that they may give up, and of no other', async () => {
    const done = await readers.whole('prises.csv', 'matricule;nom;carte\nB1;Duval;R1\nB2;Morel;R2A\n')
    expect(await readers.refusals(done.id)).toEqual([
      {
        line: 2,
        field: 'reader_id',
        reason: expect.stringMatching(/^Le numéro de lecteur R1 est déjà celui d.* Si une ligne plus bas/),
      },
      {
        line: 3,
        field: 'reader_id',
        reason: 'Le numéro de lecteur R2A est déjà celui de Zoé Dupont, proche d’Éric Dupont (M2).',
      },
    ])
  })

  it('gives no two readers cards that differ by case only, tried or brought in', async () => {
    const { id } = await readers.read('paire.csv', 'matricule;nom;carte\nA1;Duval;ab12\nA2;Morel;AB12\n')
    const isRefused = async () =>
      expect(await readers.refusals(id)).toMatchObject([
        {
          line: 3,
          field: 'reader_id',
          reason: expect.stringMatching(/^Le numéro de lecteur AB12 est déjà celui de Duval/),
        },
      ])
    expect((await readers.check(id)).counts).toMatchObject({ added: 1, refused: 1 })
    await isRefused()
    expect((await readers.run(id)).counts).toMatchObject({ added: 1, refused: 1 })
    await isRefused()
  })

  it('makes no word for a row that is refused', async () => {
    const done = await works.whole('b.csv', 'titre;catégorie;code-barres;site\nA;Fantôme;F1;Nulle part\n')
    expect(done.counts).toMatchObject({ added: 0, refused: 1, words: 0 })
  })

  it('tries a later line of what it refused before as the real one does', async () => {
    const file = 'matricule;nom;site\nD1;Durand;Nulle part\nD1;Durand;Centre\n'
    const read = await readers.read('c.csv', file)
    const tried = await readers.check(read.id)
    expect(tried.counts).toMatchObject({ added: 1, refused: 1 })
    expect((await readers.run(read.id)).counts).toEqual(tried.counts)
    const lent = await loans.read(
      'd.csv',
      'code-barres;matricule;date de prêt\n1004;PERSONNE;01/02/2026\n1004;D1;01/02/2026\n',
    )
    const attempted = await loans.check(lent.id)
    expect(attempted.counts).toMatchObject({ added: 1, refused: 1 })
    expect((await loans.run(lent.id)).counts).toEqual(attempted.counts)
  })

  it('says before it begins that copies cannot be numbered', async () => {
    await sql`update parameters set value = '0' where code = 'barCodesIncrement'`.execute(server.db)
    const read = await works.read('e.csv', 'titre\nA\n')
    await works.change(read.id, { choices: { site: 1, numbers_copies: true } })
    const asked = await admin.post(`/api/imports/${read.id}/check`)
    expect([asked.status, asked.body.violations?.[0].propertyPath]).toEqual([422, 'choices.numbers_copies'])
  })

  it('can be undone as far as it came, where the person lost the right', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `Z${at};Perdu ${at}`).join('\n')
    const read = await readers.read('f.csv', `matricule;nom\n${rows}\n`)
    await readers.check(read.id)
    await readers.run(read.id, { stopAfter: 2 })
    const of = sql`(select profile from users where username = 'admin')`
    await sql`delete from profile_rights where right_code = 'BENEFICIARY_EDIT' and profile = ${of}`.execute(
      server.db,
    )
    await server.doJobs()
    await sql`insert into profile_rights (profile, right_code) select ${of}, 'BENEFICIARY_EDIT'`.execute(
      server.db,
    )
    const stopped = await readers.get(read.id)
    expect(stopped).toMatchObject({ status: 'done', problem: expect.stringContaining('n’a plus le droit') })
    await readers.undo(stopped.act)
    expect((await admin.get('/api/beneficiaries?searchname=Perdu')).body['hydra:totalItems']).toBe(0)
  })

  it('leaves no file behind that is forgotten, or read otherwise', async () => {
    const places = () => readdir(join(server.environment.files, 'imports'))
    const before = await places()
    const read = await readers.read('k.csv', 'matricule;nom\nK1;Élan\n')
    const place = (await places()).find((name) => !before.includes(name)) ?? ''
    const rows = () => readdir(join(server.environment.files, 'imports', place))
    const first = (await rows()).find((name) => name.startsWith('rows-'))
    await readers.change(read.id, { charset: 'windows-1252' })
    expect((await rows()).filter((name) => name.startsWith('rows-'))).toHaveLength(1)
    expect(await rows()).not.toContain(first)
    expect((await admin.delete(`/api/imports/${read.id}`)).status).toBe(204)
    expect(await places()).toEqual(before)
  })

  it('goes on after a row that the database refuses', async () => {
    await sql`alter table copies add constraint no_boom check (bar_code <> 'BOOM')`.execute(server.db)
    const rows = Array.from(
      { length: 40 },
      (_, at) => `Rang ${at};${at === 17 ? 'BOOM' : `RANG${at}`};Centre`,
    )
    const read = await works.read('j.csv', `titre;code-barres;site\n${rows.join('\n')}\n`)
    await works.check(read.id)
    const done = await works.run(read.id)
    expect(done.counts).toMatchObject({ added: 39, copies: 39, refused: 1 })
    const refusals = (await admin.get(`/api/imports/${read.id}/refusals`)).body['hydra:member']
    expect(refusals).toMatchObject([{ line: 19, reason: expect.stringContaining('refuse cette ligne') }])
    expect((await admin.get('/api/references?searchname=Rang 17')).body['hydra:totalItems']).toBe(0)
  })

  it('leaves works and copies as they are for whoever may not change them', async () => {
    await works.whole('h.csv', 'titre;code;cote;code-barres;site\nAvant;CODE-H;;H1;Centre\n')
    const of = sql`(select profile from users where username = 'admin')`
    const again = async (without: string, price: string) => {
      await sql`delete from profile_rights where right_code = ${without} and profile = ${of}`.execute(
        server.db,
      )
      const file = `titre;code;cote;code-barres;site;prix exemplaire\nAvant;CODE-H;R ${without};H1;Centre;${price}\n`
      const read = await works.read('i.csv', file)
      const price_at = read.opened.columns.findIndex(({ name }) => name === 'prix exemplaire')
      await works.change(read.id, {
        mapping: read.mapping.map((field, at) => (at === price_at ? 'copy.price' : field)),
        choices: { policies: { 'copy.price': 'overwrite', 'reference_data.book_number': 'overwrite' } },
      })
      const tried = await works.check(read.id)
      expect((await works.run(read.id)).counts).toEqual(tried.counts)
      await sql`insert into profile_rights (profile, right_code) select ${of}, ${without}`.execute(server.db)
      const [reference] = (await admin.get('/api/references?code=CODE-H')).body['hydra:member']
      const [copy] = (await admin.get('/api/copies?bar_code=H1')).body['hydra:member']
      return [reference.reference_data.book_number ?? null, copy.price]
    }
    expect(await again('REFERENCE_EDIT', '7.00')).toEqual([null, '7.00'])
    expect(await again('COPY_MODIFY', '9.00')).toEqual(['R COPY_MODIFY', '7.00'])
  })

  it('is a matter of whoever may pass over the rules, for loans', async () => {
    const benevole = await server.as('benevole')
    expect(
      (await importing(server, benevole, 'loans').send('g.csv', 'code-barres;date de prêt\n1;1\n')).status,
    ).toBe(403)
  })
})
