import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('importing a catalogue', (server) => {
  let admin: Client
  let files: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    files = importing(server, admin)
  })
  const titles = async (search: string) =>
    (await admin.get(`/api/references?searchname=${encodeURIComponent(search)}&with_copies=1`)).body[
      'hydra:member'
    ]

  it('reads a table, says what its columns seem to give, tries it, brings it in, and takes it back', async () => {
    const before = await liveRows(server.db)
    const read = await files.read(
      'catalogue.csv',
      'Titre;Auteur;ISBN;Support;Code-barres;Cote\nL’Écume des jours;Vian, Boris;2-253-14087-2;Livre;7001;R VIA\nL’Écume des jours;Vian, Boris;9782253140870;Livre;7002;R VIA\nSans titre de code;;;Roman graphique;7003;\n;Personne;;;7004;\n',
    )
    expect(read).toMatchObject({
      status: 'read',
      rows: 4,
      damaged: 0,
      opened: { kind: 'csv', delimiter: ';', charset: { name: 'utf-8', how: 'valid' } },
      mapping: ['name', 'tags.author', 'code', 'medium', 'copy.bar_code', 'reference_data.book_number'],
    })
    await files.change(read.id, { choices: { site: 1 } })
    const tried = await files.check(read.id)
    expect(tried).toMatchObject({
      status: 'checked',
      counts: { added: 3, changed: 0, unchanged: 0, refused: 1, copies: 3, words: 1 },
    })
    expect(await liveRows(server.db)).toEqual({
      ...before,
      imports: expect.any(Array),
      import_refusals: expect.any(Array),
    })
    const done = await files.run(read.id)
    expect(done).toMatchObject({ status: 'done', counts: tried.counts })
    const [ecume] = await titles('ecume')
    expect(ecume).toMatchObject({
      name: 'L’Écume des jours',
      code: '9782253140870',
      medium: { name: 'Livre' },
      tags: { author: 'Vian, Boris' },
      reference_data: { book_number: 'R VIA' },
      copies: [{ bar_code: '7001', site: 1 }, { bar_code: '7002' }],
    })
    expect(await files.refusals(read.id)).toEqual([
      { line: 5, field: 'name', reason: '«\u00a0Titre\u00a0» est vide.' },
    ])
    expect(await files.refusedRows(read.id)).toBe(
      '\ufeffTitre;Auteur;ISBN;Support;Code-barres;Cote\n;Personne;;;7004;\n',
    )
    // The same file again changes nothing.
    const again = await files.whole('catalogue.csv', read.source, { site: 1 })
    expect(again.counts).toEqual({ added: 0, changed: 0, unchanged: 3, refused: 1, copies: 0, words: 0 })

    await files.undo(done.act)
    const { imports: _, import_refusals: __, ...rest } = await liveRows(server.db)
    const { imports: ___, import_refusals: ____, ...was } = before
    expect(rest).toEqual(was)
  })

  describe('of what is there already', () => {
    it('fills what is empty, and overwrites or keeps a field where that is chosen', async () => {
      await admin.put('/api/references/1', { code: '9782070360024', tags: { author: 'Camus' } })
      const file =
        'isbn;titre;auteur;editeur;prix\n9782070360024;LIVRE NUMÉRO 1;Camus, Albert;Gallimard;8,20\n'
      const filled = await files.whole('a.csv', file)
      expect(filled.counts).toMatchObject({ changed: 1, added: 0 })
      expect(filled.samples).toMatchObject([
        {
          line: 2,
          changes: expect.arrayContaining([
            expect.objectContaining({ field: 'Éditeur', before: null, after: 'Gallimard' }),
          ]),
        },
      ])
      expect((await admin.get('/api/references/1')).body).toMatchObject({
        name: 'Livre numéro 1',
        tags: { author: 'Camus', publisher: 'Gallimard' },
      })
      const over = await files.whole('a.csv', file, {
        policies: { 'tags.author': 'overwrite', name: 'keep', price: 'keep' },
      })
      expect(over.counts).toMatchObject({ changed: 1 })
      expect((await admin.get('/api/references/1')).body).toMatchObject({
        name: 'Livre numéro 1',
        tags: { author: 'Camus, Albert' },
      })
      await files.undo(over.act)
      expect((await admin.get('/api/references/1')).body.tags).toMatchObject({ author: 'Camus' })
    })

    it('takes a known bar code for the copy that it is', async () => {
      const known = await files.whole('b.csv', 'titre;code-barres;état\nLivre numéro 2;1002;endommagé\n', {
        site: 1,
        policies: { 'copy.state': 'overwrite' },
      })
      expect(known.counts).toMatchObject({ refused: 0 })
      expect((await admin.get('/api/copies?bar_code=1002')).body['hydra:member'][0].state).toBe('DAMAGED')
    })
  })

  it('refuses a copy that has the bar code of a shelf', async () => {
    await admin.post('/api/locations', { label: 'Rayon polar', bar_code: 'RAYON-7' })
    const done = await files.whole('rayon.csv', 'titre;code-barres\nLivre au rayon;RAYON-7\n', { site: 1 })
    expect(await files.refusals(done.id)).toEqual([
      {
        line: 2,
        field: 'copy.bar_code',
        reason: 'Le code-barres RAYON-7 est celui de l’emplacement «\u00a0Rayon polar\u00a0».',
      },
    ])
    expect((await admin.get('/api/copies?bar_code=RAYON-7')).body['hydra:member']).toEqual([])
  })

  it('brings in notices with their copies and keeps them as they came; damaged ones are a line each', async () => {
    const { notice } = await import('./notices.ts')
    const file = Buffer.concat([
      notice({
        title: 'Germinal',
        author: ['Zola', 'Émile'],
        isbn: '978-2-253-00422-6',
        copies: [{ f: '8001', k: 'R ZOL', b: 'Centre', r: 'az' }],
      }),
      Buffer.from('00026nam  2200025   450 xx\u001d'),
      notice({ title: 'Nana', author: ['Zola', 'Émile'], copies: [{ f: '8002', b: 'Nulle part' }] }),
    ])
    const done = await files.whole('notices.mrc', file, { site: 1 })
    expect(done.counts).toMatchObject({ added: 1, refused: 2, copies: 1 })
    expect(done.unknown_sites).toEqual(['Nulle part'])
    expect(await files.refusals(done.id)).toMatchObject([
      { line: 2 },
      { line: 3, field: 'copy.site', reason: 'Aucun site ne s’appelle «\u00a0Nulle part\u00a0».' },
    ])
    const { rows } = await sql<{ content: Buffer }>`
      select content from reference_notices n join "references" r on r.id = n.reference where r.name = 'Germinal'`.execute(
      server.db,
    )
    expect(file.indexOf(rows[0]!.content)).toBe(0)
    await files.undo(done.act)
    expect((await sql`select from reference_notices`.execute(server.db)).rows).toEqual([])
  })

  it('is tried anew where its job was given up, and what it had brought is undone as an act', async () => {
    const read = await files.read(
      'perdu.csv',
      `titre;code\n${Array.from({ length: 250 }, (_, at) => `Perdu ${at};P${at}`).join('\n')}\n`,
    )
    await files.check(read.id)
    for (let attempt = 0; attempt < 6; attempt += 1)
      await files.run(read.id, attempt === 0 ? { stopAfter: 2 } : { stopAfter: 1, isAgain: true })
    const lost = await files.get(read.id)
    expect(lost).toMatchObject({ status: 'read', problem: expect.stringContaining('erreur inattendue') })
    const { body: act } = await admin.get(`/api/acts/${lost.act}`)
    expect(act).toMatchObject({ touched: expect.any(Number), fixed: null })
    await files.check(read.id)
    const done = await files.run(read.id)
    // A step is of fewer rows on the embedded engine.
    expect(done).toMatchObject({
      status: 'done',
      counts: { added: 250 - act.touched, unchanged: act.touched },
    })
    await files.undo(done.act)
    await files.undo(lost.act)
    expect((await titles('perdu')).length).toBe(0)
  })

  it('goes on where its server stopped, and gives up where the person lost the right', async () => {
    const rows = Array.from({ length: 450 }, (_, at) => `Titre ${at};T${at}`)
    const read = await files.read('long.csv', `titre;code\n${rows.join('\n')}\n`)
    await files.check(read.id)
    await files.run(read.id, { stopAfter: 2 })
    expect((await titles('titre')).length).toBeGreaterThan(0)
    await server.doJobs()
    expect(await files.get(read.id)).toMatchObject({ status: 'done', counts: { added: 450, refused: 0 } })
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from "references" where code like 'T%' and deleted_at is null`.execute(
      server.db,
    )
    expect(counted[0]!.count).toBe(450)
  })
})
