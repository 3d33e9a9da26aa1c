import { beforeAll, expect, it } from 'vitest'

import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

const withoutFiles = (rows: Record<string, unknown[]>) => ({ ...rows, imports: [], import_refusals: [] })

describeServer('importing readers and their loans', (server) => {
  let admin: Client
  let readers: ReturnType<typeof importing>
  let loans: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    readers = importing(server, admin, 'readers')
    loans = importing(server, admin, 'loans')
  })
  const find = async (name: string) =>
    (await admin.get(`/api/beneficiaries?searchname=${encodeURIComponent(name)}`)).body['hydra:member'][0]
  const file =
    'Matricule;Nom;Prénom;Date de naissance;Courriel;Contrat;Site\nX1;Lefèvre;Noël;24/12/1980;noel@exemple.fr;Annuel;Centre\nX2;Diallo;Aïcha;;pas une adresse;Annuel;\nX1;Lefèvre;Noël;24/12/1980;noel@exemple.fr;Annuel;Centre\nX3;Petit;Luc;;;Annuel;Mars\n;;Sans nom;;;;\n'

  it('adds them by the rules of the form, keeps of a birth its year alone, and refuses line by line', async () => {
    const before = withoutFiles(await liveRows(server.db))
    const read = await readers.read('lecteurs.csv', file)
    expect(read.mapping).toEqual([
      'matricule',
      'lastname',
      'firstname',
      'birth_year',
      'email',
      'contract_type',
      'agency',
    ])
    const tried = await readers.check(read.id)
    expect(tried.counts).toMatchObject({ added: 1, unchanged: 1, refused: 3 })
    expect(withoutFiles(await liveRows(server.db))).toEqual(before)
    const done = await readers.run(read.id)
    expect(done.counts).toEqual(tried.counts)
    expect(await find('Lefèvre')).toMatchObject({
      matricule: 'X1',
      birth_year: 1980,
      agency: 'Centre',
    })
    expect(await readers.refusals(read.id)).toEqual([
      {
        line: 3,
        field: 'email',
        reason: '«\u00a0pas une adresse\u00a0» ne va pas dans «\u00a0Courriel\u00a0».',
      },
      { line: 5, field: 'agency', reason: 'Aucun site ne s’appelle «\u00a0Mars\u00a0».' },
      { line: 6, field: 'lastname', reason: '«\u00a0Nom\u00a0» est vide.' },
    ])
    const again = await readers.whole('lecteurs.csv', file)
    expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    await readers.undo(done.act)
    expect(withoutFiles(await liveRows(server.db))).toEqual({
      ...before,
      eligibility_values: expect.any(Array),
    })
  })

  it('knows a reader of the same name whose number has lost its zeros, and leaves the number as it is', async () => {
    const { act } = await readers.whole(
      'cartes.csv',
      'Matricule;N° carte;Nom;Prénom\n000900;000777;Zéro;Tom\n',
    )
    const policies = { matricule: 'overwrite', reader_id: 'overwrite' }
    const again = await readers.whole(
      'cartes.csv',
      'N° carte;Nom;Prénom;Courriel\n777;ZERO;Tom;t@example.org\n',
      {
        policies,
      },
    )
    expect(again.counts).toMatchObject({ added: 0, changed: 1 })
    const other = await readers.whole('cartes.csv', 'Matricule;Nom;Prénom\n900;Zéro;Tom\n900;Zéro;Tim\n', {
      policies,
    })
    expect(other.counts).toMatchObject({ unchanged: 1, added: 1 })
    expect(await find('Zéro Tom')).toMatchObject({
      matricule: '000900',
      reader_id: '000777',
      email: 't@example.org',
    })
    for (const one of [other.act, again.act, act]) await readers.undo(one)
  })

  it('brings in open loans with their days, and refuses the same copy twice, an unknown copy and an unknown reader', async () => {
    const before = withoutFiles(await liveRows(server.db))
    const done = await loans.whole(
      'prets.csv',
      'code-barres;matricule;date de prêt;retour prévu\n1001;M1;01/02/2025;01/03/2025\n1001;M2;01/02/2026;\n9999;M1;01/02/2026;\n1002;NON;01/02/2026;\n1003;M2;01/03/2026;\n',
    )
    expect(done.counts).toMatchObject({ added: 2, refused: 3 })
    expect((await loans.refusals(done.id)).map(({ reason }: { reason: string }) => reason)).toEqual([
      '«\u00a0Livre numéro 1\u00a0» est déjà prêté à quelqu’un d’autre.',
      'Aucun exemplaire ne porte le code-barres 9999.',
      'Aucun lecteur n’a le numéro NON.',
    ])
    const open = (await admin.get('/api/loanings?status=in_progress&order[start_date]=asc')).body[
      'hydra:member'
    ]
    expect(open).toMatchObject([
      { copy_barcode: '1001', start_date: '2025-02-01', end_date: '2025-03-01', islate: true },
      { copy_barcode: '1003', start_date: '2026-03-01' },
    ])
    await loans.undo(done.act)
    expect(withoutFiles(await liveRows(server.db))).toEqual(before)
  })

  it('tells of a loan that is on two lines before it is brought in what it tells afterwards', async () => {
    const twice =
      'code-barres;matricule;date de prêt\n1004;M1;01/02/2026\n1004;M1;01/02/2026\n1004;M2;01/02/2026\n'
    const read = await loans.read('deux-fois.csv', twice)
    const tried = await loans.check(read.id)
    expect(tried.counts).toMatchObject({ added: 1, unchanged: 1, refused: 1 })
    const done = await loans.run(read.id)
    expect(done.counts).toEqual(tried.counts)
    await loans.undo(done.act)
  })

  it('is for whoever may add them, and of a file for its sender where sites are kept apart', async () => {
    const lecture = await server.as('lecture')
    expect((await importing(server, lecture, 'readers').send('a.csv', file)).status).toBe(403)
    const benevole = await server.as('benevole')
    expect((await importing(server, benevole, 'references').send('a.csv', 'titre\nA\n')).status).toBe(403)
    const { id } = await readers.read('lecteurs.csv', file)
    const biblio = await server.as('biblio')
    expect((await biblio.get(`/api/imports/${id}`)).status).toBe(404)
    expect(
      (await readers.send('image.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]))).status,
    ).toBe(422)
  })
})
