import { beforeAll, expect, it } from 'vitest'

import type { ImportRefusal } from '../../src/contract/imports.ts'
import type { ImportSubject } from '../../src/domain/import-fields.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('a line that is refused', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  /** Tried and brought in, which says the same. */
  const refusalsOf = async (subject: ImportSubject, source: string, choices: object = {}) => {
    const files = importing(server, admin, subject)
    const { id } = await files.read('fautes.csv', source)
    await files.change(id, { choices })
    const tried = await files.check(id)
    const refusals = (await files.refusals(id)) as Omit<ImportRefusal, 'id'>[]
    await files.run(id)
    expect(await files.refusals(id)).toEqual(refusals)
    return { ...tried, id, files, whys: refusals.map(({ line, field }) => [line, field]), refusals }
  }

  it('is told all that is wrong with a title and its copy, in the order of the file', async () => {
    const { counts, whys, unknown_sites, files, id } = await refusalsOf(
      'references',
      'titre;prix;support;catégorie;code-barres;site;date achat\n;gratuit;Fossile;Inconnue;1001;Mars;hier\nRien à redire;;;;91002;Centre;\nDeux;x;;;1001;Centre;\n',
      { makes_words: false },
    )
    expect(counts).toMatchObject({ added: 1, refused: 2 })
    expect(whys).toEqual([
      [2, 'price'],
      [2, 'copy.buy_date'],
      [2, 'name'],
      [2, 'copy.site'],
      [2, 'medium'],
      [2, 'category'],
      [4, 'price'],
      [4, 'copy.bar_code'],
    ])
    expect(unknown_sites).toEqual(['Mars'])
    // What is to be corrected has each line once.
    expect(await files.refusedRows(id)).toBe(
      '\ufefftitre;prix;support;catégorie;code-barres;site;date achat\n;gratuit;Fossile;Inconnue;1001;Mars;hier\nDeux;x;;;1001;Centre;\n',
    )
  })

  it('is told all that is wrong with a reader', async () => {
    const { whys, unknown_sites, refusals } = await refusalsOf(
      'readers',
      'nom;prénom;matricule;carte;courriel;naissance;site\nDuval;Zoé;D9;R1;non;1985;Mars\n;;;1001;;;\n',
    )
    expect(whys).toEqual([
      [2, 'email'],
      [2, 'agency'],
      [2, 'reader_id'],
      [3, 'lastname'],
      [3, 'reader_id'],
    ])
    expect(unknown_sites).toEqual(['Mars'])
    expect(refusals[2]!.reason).toMatch(/^Le numéro de lecteur R1 est déjà celui d/)
  })

  it('is told all that is wrong with a loan', async () => {
    const { whys } = await refusalsOf(
      'loans',
      'code-barres;matricule;date de prêt\n9999;PERSONNE;demain\n;M1;\n1001;;01/02/2026\n',
    )
    expect(whys).toEqual([
      [2, 'start_date'],
      [2, 'bar_code'],
      [2, 'matricule'],
      [3, 'bar_code'],
      [3, 'start_date'],
      [4, 'matricule'],
    ])
  })

  it('tells nothing of what stands at a site that is closed to the person', async () => {
    const { body } = await admin.get('/api/users/me')
    await server.db.insertInto('user_sites').values({ user_id: body.id, site: 1 }).execute()
    const { refusals } = await refusalsOf(
      'references',
      'titre;prix;code-barres;site\nAilleurs;x;2001;Centre\n',
    )
    await server.db.deleteFrom('user_sites').execute()
    expect(refusals.map(({ reason }) => reason)).toEqual([
      '«\u00a0x\u00a0» ne va pas dans «\u00a0Prix\u00a0».',
      'Le code-barres 2001 est celui d’un exemplaire d’un autre site.',
    ])
  })
})

describeServer('copies that come with a file', (server) => {
  it('await a label where they are numbered here, and none where they have a code already', async () => {
    const admin = await server.as('admin')
    const files = importing(server, admin)
    const done = await files.whole('codes.csv', 'titre;code-barres\nAvec;95001\nSans;\n', {
      site: 1,
      numbers_copies: true,
    })
    expect(done.counts).toMatchObject({ added: 2, copies: 2 })
    const awaiting = await server.db
      .selectFrom('label_basket')
      .innerJoin('copies', 'copies.id', 'label_basket.copy')
      .innerJoin('references', 'references.id', 'copies.reference')
      .select('references.name')
      .execute()
    expect(awaiting).toEqual([{ name: 'Sans' }])
  })
})
