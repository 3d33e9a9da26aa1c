import { readFileSync } from 'node:fs'

import { beforeAll, describe, expect, it } from 'vitest'

import type { Import } from '../../src/contract/imports.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

const of = (name: string) => readFileSync(new URL(`wild/${name}`, import.meta.url))

/** Small files after faults that users of such software report, and what each is to become. */
describeServer('importing what others have lost', (server) => {
  let admin: Client
  let works: ReturnType<typeof importing>
  let readers: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    works = importing(server, admin)
    readers = importing(server, admin, 'readers')
  })
  /** Tried and brought in, alike; then what a second time does. */
  const twice = async (
    files: ReturnType<typeof importing>,
    name: string,
    source: string | Uint8Array,
    choices = {},
  ) => {
    const { id } = await files.read(name, source)
    await files.change(id, { choices: { site: 1, ...choices } })
    const tried = await files.check(id)
    const done = await files.run(id)
    expect([tried.counts, tried.remarks]).toEqual([done.counts, done.remarks])
    const again = await files.whole(name, source, { site: 1, ...choices })
    return {
      ...done,
      again: again.counts,
      reasons: (await files.refusals(id)).map(({ line, reason }: { line: number; reason: string }) => [
        line,
        reason,
      ]),
    }
  }
  const kinds = ({ remarks }: Pick<Import, 'remarks'>) =>
    Object.fromEntries(remarks.map(({ kind, count }) => [kind, count]))
  const list = async (path: string) => (await admin.get(path)).body['hydra:member']

  it('has a work of each volume with one ISBN, and says so', async () => {
    const done = await twice(works, 'tomes.csv', of('11-meme-isbn-trois-tomes.csv'))
    expect(done.counts).toMatchObject({ added: 3, copies: 3, refused: 0 })
    expect(done.again).toMatchObject({ added: 0, unchanged: 3 })
    expect(kinds(done)).toEqual({ same_code: 2 })
    expect(done.remarks[0]!.lines[0]).toEqual({
      line: 3,
      told: '9782900000113\u202f: «\u00a0La grande traversée\u00a0» (tome 2) s’ajoute à «\u00a0La grande traversée\u00a0» (tome 1)',
    })
    const found = await list('/api/references?code=9782900000113&with_copies=1&order[id]=asc')
    expect(
      found.map((one: { reference_data: { volume: string }; copies: { bar_code: string }[] }) => [
        one.reference_data.volume,
        ...one.copies.map(({ bar_code }) => bar_code),
      ]),
    ).toEqual([
      ['1', 'W11000001'],
      ['2', 'W11000002'],
      ['3', 'W11000003'],
    ])
  })

  it('has a work of each title with one code, of a subtitle the same, and of a volume that no line says none', async () => {
    const done = await twice(
      works,
      'codes.csv',
      'titre;tome;isbn\nLa Curée;;9782900000106\nNana;;9782900000106\nNana : roman;;9782900000106\nPot;1;9782900000120\nPot;Tome 01;9782900000120\nPot;2;9782900000120\nPot;;9782900000120\n',
    )
    expect(done.counts).toMatchObject({ added: 4, unchanged: 2, refused: 1 })
    expect(done.again).toMatchObject({ added: 0, unchanged: 6, refused: 1 })
    expect(done.reasons).toEqual([
      [
        8,
        'Plusieurs tomes de ce titre ont le code 9782900000120\u202f: la ligne ne dit pas duquel il s’agit.',
      ],
    ])
  })

  it('has a work of each notice of a volume (200 $h, 461 $v)', async () => {
    const done = await twice(works, 'volumes.mrc', of('13-unimarc-gros-caracteres-2-volumes.mrc'))
    expect(done.counts).toMatchObject({ added: 2, copies: 2 })
    expect(done.again).toMatchObject({ unchanged: 2 })
    const found = await list('/api/references?code=9782900000137&order[id]=asc')
    expect(found.map((one: { reference_data: { volume: string } }) => one.reference_data.volume)).toEqual([
      '1',
      '2',
    ])
  })

  describe('of copies in 995', () => {
    it('does not lend those that are excluded, takes no loan for a purchase, and says both', async () => {
      const read = await works.read('995.mrc', of('14-unimarc-995-exclu-du-pret.mrc'))
      expect(read.opened.copies).toEqual({
        frame: '995',
        circulation: [
          { code: 'e', count: 1, is_lent: false },
          { code: 'a', count: 1, is_lent: true },
        ],
      })
      const done = await twice(works, '995.mrc', of('14-unimarc-995-exclu-du-pret.mrc'))
      expect(done.remarks).toEqual([
        { kind: 'not_lent', count: 1, lines: [{ line: 1, told: 'W14000001 ($o\u202f: e)' }] },
        {
          kind: 'loan_dates',
          count: 1,
          lines: [{ line: 1, told: 'W14000002\u202f: depuis le 01/09/2026, retour prévu le 01/10/2026' }],
        },
      ])
      const [one] = await list('/api/copies?bar_code=W14000001')
      const [other] = await list('/api/copies?bar_code=W14000002')
      expect([one, other]).toMatchObject([
        { status: { name: 'Non Disponible' }, buy_date: null },
        { status: { name: 'Disponible' }, buy_date: null },
      ])
    })

    it('follows what the person says of each circulation', async () => {
      const { act } = await works.whole('995.mrc', of('14-unimarc-995-exclu-du-pret.mrc'), { site: 1 })
      expect(act).not.toBeNull()
      for (const copy of [
        ...(await list('/api/copies?bar_code=W14000001')),
        ...(await list('/api/copies?bar_code=W14000002')),
      ])
        await admin.delete(`/api/copies/${copy.id}`)
      const done = await works.whole('995.mrc', of('14-unimarc-995-exclu-du-pret.mrc'), {
        site: 1,
        lent: { e: true, a: false },
      })
      expect(done.counts).toMatchObject({ copies: 2 })
      expect([
        (await list('/api/copies?bar_code=W14000001'))[0].status.name,
        (await list('/api/copies?bar_code=W14000002'))[0].status.name,
      ]).toEqual(['Disponible', 'Non Disponible'])
    })
  })

  it('says what price and day of acquisition of a notice cannot be read', async () => {
    const { notice } = await import('./notices.ts')
    const copies = [{ f: 'W52000001', 9: '7', p: 'environ 12', 5: 'printemps' }]
    const done = await twice(works, 'koha.mrc', notice({ title: 'Prix illisible', copies }))
    expect(done.counts).toMatchObject({ added: 1, copies: 1, refused: 0 })
    expect(done.remarks).toEqual([
      {
        kind: 'cut',
        count: 2,
        lines: [
          {
            line: 1,
            told: 'W52000001\u202f: le prix «\u00a0environ 12\u00a0» ne se lit pas, et n’est pas repris',
          },
          {
            line: 1,
            told: 'W52000001\u202f: le jour d’achat «\u00a0printemps\u00a0» ne se lit pas, et n’est pas repris',
          },
        ],
      },
    ])
  })

  it('takes codes that no label of their site can show, nor a card, and says which ones', async () => {
    const write = (symbology: string) =>
      admin.put('/api/sites/2', { bar_codes_configuration: { siteCode: '', firstValue: '1', symbology } })
    await write('CODABAR')
    const file =
      'titre;code-barres;site\nÉtiqueté;W51000001;Annexe\nÉtiqueté;51000002;Annexe\nÉtiqueté;W51000003;Centre\nAilleurs;N°51;Centre\n'
    const done = await twice(works, 'etiquettes.csv', file)
    expect(done.counts).toMatchObject({ copies: 4, refused: 0 })
    expect(done.again).toMatchObject({ added: 0, unchanged: 4 })
    expect(done.remarks).toEqual([
      {
        kind: 'no_bars',
        count: 2,
        lines: [
          {
            line: 2,
            told: 'W51000001 («\u00a0Étiqueté\u00a0»)\u202f: «\u00a0W\u00a0» ne s’écrit pas en Codabar',
          },
          {
            line: 5,
            told: 'N°51 («\u00a0Ailleurs\u00a0»)\u202f: «\u00a0°\u00a0» ne s’écrit pas en Code 128',
          },
        ],
      },
    ])
    await write('CODE128')
    const people = await twice(readers, 'cartes.csv', 'Nom;Prénom;Carte\nDulac;Ève;C°51\nDulac;Ida;C51\n')
    expect(people.counts).toMatchObject({ added: 2 })
    expect(people.remarks).toEqual([
      {
        kind: 'no_bars',
        count: 1,
        lines: [{ line: 2, told: 'C°51 (Ève Dulac)\u202f: «\u00a0°\u00a0» ne s’écrit pas en Code 128' }],
      },
    ])
  })

  it('refuses a title whose copy stands on another, in the file or in the library', async () => {
    const doubles = await twice(works, 'doubles.mrc', of('17-unimarc-001-et-995-doubles.mrc'))
    expect(doubles.counts).toMatchObject({ added: 3, refused: 1, copies: 1 })
    expect(kinds(doubles)).toEqual({ no_bar_code: 1 })
    const reason = (code: string, title: string) =>
      `Le code-barres ${code} est déjà celui d’un exemplaire de «\u00a0${title}\u00a0».`
    expect(doubles.reasons).toEqual([[4, reason('W17000001', 'Notice C')]])
    const tables = await twice(works, 'porteurs.csv', of('37-meme-code-deux-titres.csv'))
    expect(tables.counts).toMatchObject({ added: 1, refused: 1, copies: 1 })
    expect(tables.reasons).toEqual([[3, reason('W37000001', 'Premier porteur')]])
    expect(await list('/api/references?searchname=porteur')).toHaveLength(1)
    // Words of a line that is refused are not made.
    const there = await works.whole('autre.csv', 'titre;support;code-barres\nAilleurs;Fossile;W37000001\n', {
      site: 1,
    })
    expect(there.counts).toMatchObject({ added: 0, refused: 1, words: 0 })
  })

  it('knows the title that a copy stands on, completed since', async () => {
    const file = 'titre;auteur;code-barres\nComplété;Ana Sable;W50000001\n'
    await works.whole('a.csv', file, { site: 1 })
    const [{ id }] = await list('/api/references?searchname=Complété')
    await admin.put(`/api/references/${id}`, {
      tags: { author: 'Ana Sable', publisher: 'Lisières', year: '2019' },
    })
    expect((await works.whole('a.csv', file, { site: 1 })).counts).toMatchObject({ unchanged: 1, refused: 0 })
  })

  it('refuses a code that differs from another by case only, where one is saved too', async () => {
    const done = await twice(works, 'casse.csv', of('26-codes-casse-espaces.csv'))
    expect(done.counts).toMatchObject({ added: 4, refused: 1 })
    const reason =
      'Le code-barres abc1234 ne diffère que par la casse de ABC1234, qui est déjà celui d’un exemplaire de «\u00a0Code majuscule\u00a0».'
    expect(done.reasons).toEqual([[3, reason]])
    for (const code of ['ABC1234', 'WSP12345', 'WSP 12346', 'WSP12347'])
      expect(await list(`/api/copies?bar_code=${encodeURIComponent(code)}`)).toHaveLength(1)
    const added = await admin.post('/api/copies', { reference: 1, site: 1, bar_code: 'abc1234' })
    expect([added.status, added.body.violations?.[0]]).toMatchObject([
      422,
      { propertyPath: 'bar_code', message: reason },
    ])
    const several = await admin.post('/api/copies/several', {
      reference: 1,
      site: 1,
      bar_codes: ['CAS1', 'cas1'],
    })
    expect(several.body.violations).toMatchObject([
      { propertyPath: 'bar_codes.1', message: 'Le code-barres cas1 est déjà à la ligne 1.' },
    ])
    const [{ id }] = await list('/api/copies?bar_code=ABC1234')
    expect((await admin.put(`/api/copies/${id}`, { bar_code: 'Abc1234' })).status).toBe(200)
    await admin.put(`/api/copies/${id}`, { bar_code: 'ABC1234' })
  })

  it('has two readers of one name whose mails and towns differ, says so, and asks which one is meant', async () => {
    const done = await twice(readers, 'homonymes.csv', of('23-homonymes-sans-numero.csv'))
    expect(done.counts).toMatchObject({ added: 2, unchanged: 0, refused: 0 })
    expect(done.again).toMatchObject({ added: 0, unchanged: 2 })
    expect(kinds(done)).toEqual({ homonym: 1 })
    const unsaid = await readers.whole('lequel.csv', 'nom;prénom\nHomonyme;Jean\n', { site: 1 })
    expect(await readers.refusals(unsaid.id)).toMatchObject([
      {
        field: 'matricule',
        reason:
          'Plusieurs lecteurs s’appellent Jean Homonyme\u202f: donnez le matricule ou la carte de celui-ci.',
      },
    ])
  })

  it('keeps what stands in titles, publishers and authors of a table as it stands', async () => {
    const line = [
      'Paris : 1900 / 2000 [inédit]. 2',
      'Zones : sensibles [label], 1984',
      'Dupont, Jean. Dir (1978-....)',
    ]
    const done = await twice(works, 'signes.csv', `titre;éditeur;auteur\n${line.join(';')}\n`)
    expect(done.remarks).toEqual([])
    const [found] = await list('/api/references?searchname=inédit')
    expect([found.name, found.tags.publisher, found.tags.author]).toEqual(line)
    expect(found.reference_data).toEqual({})
  })

  it('parts a title of ISBD in a notice, and shows it', async () => {
    const { notice } = await import('./notices.ts')
    const done = await twice(works, 'isbd.mrc', notice({ title: 'Le Rêve : roman / Émile Zola' }))
    expect(done.remarks).toEqual([
      {
        kind: 'cut',
        count: 1,
        lines: [
          { line: 1, told: 'Le Rêve : roman / Émile Zola est lu\u202f: $a Le Rêve $e roman $f Émile Zola' },
        ],
      },
    ])
    expect(await list('/api/references?searchname=Le Rêve')).toMatchObject([
      { name: 'Le Rêve', tags: { author: 'Émile Zola' }, reference_data: { subhead: 'roman' } },
    ])
  })

  it('leaves a title as it stands where its file has few lines of ISBD', async () => {
    const { notice } = await import('./notices.ts')
    const titles = ['AC / DC', 'Un titre sans auteur', 'Un autre sans auteur']
    const file = Buffer.concat(titles.map((title) => notice({ title })))
    const done = await twice(works, 'titres.mrc', file)
    expect([done.counts, done.again, done.remarks]).toMatchObject([{ added: 3 }, { unchanged: 3 }, []])
    expect(await list('/api/references?searchname=AC / DC')).toMatchObject([{ name: 'AC / DC', tags: {} }])
  })

  it.each(['18-marc21.mrc', '18b-marc21.xml'])(
    'refuses %s as a whole, which is not UNIMARC',
    async (name) => {
      const { status, body } = await works.send(name, of(name))
      expect(status).toBe(422)
      expect(body.violations[0].message).toContain('MARC\u00a021')
    },
  )

  it('reads a title without its sorting signs', async () => {
    const done = await works.whole('tri.mrc', of('22-unimarc-signes-de-tri.mrc'), { site: 1 })
    expect(done.counts).toMatchObject({ added: 1 })
    expect(await list('/api/references?searchname=Les Misérables')).toMatchObject([
      { name: 'Les Misérables' },
    ])
  })

  it('brings in names of any writing, which are found without their accents', async () => {
    const done = await twice(readers, 'noms.csv', of('25-noms.csv'))
    expect([done.counts, done.again]).toMatchObject([{ added: 13, refused: 0 }, { unchanged: 13 }])
    for (const name of ['lukasiewicz', 'd’oeuvre', 'nguyen', 'محمد'])
      expect(await list(`/api/beneficiaries?searchname=${encodeURIComponent(name)}`)).toHaveLength(1)
  })

  it('takes an address after « mailto: », and refuses a reader whose mail is none or several', async () => {
    const done = await twice(readers, 'courriels.csv', of('24-courriels.csv'))
    expect([done.counts, done.again]).toMatchObject([
      { added: 3, refused: 6 },
      { unchanged: 3, refused: 6 },
    ])
    expect(done.reasons.map(([line]: [number, string]) => line)).toEqual([3, 6, 7, 8, 9, 10])
    expect(done.reasons[0]).toEqual([
      3,
      '«\u00a0b@example.org; b2@example.org\u00a0» ne va pas dans «\u00a0Courriel\u00a0».',
    ])
    expect(done.reasons[1]).toEqual([6, '«\u00a0é@exämple.org\u00a0» ne va pas dans «\u00a0Courriel\u00a0».'])
    const kept = await list('/api/beneficiaries?searchname=Mel')
    expect(kept.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'D@EXAMPLE.ORG',
      'a@example.org',
      'c@example.org',
    ])
  })

  it('finds the ISBN among what is said beside it: one work where its titles are one, a work of each title else', async () => {
    const oneTitle = of('40-isbn-qualifie.csv')
      .toString()
      .replaceAll(/^.*?(?=;\d)/gm, 'Isbn qualifié')
    const one = await works.whole('isbn-un.csv', oneTitle.replaceAll('W400', 'W490'), { site: 1 })
    expect([one.counts, kinds(one)]).toMatchObject([{ copies: 4, refused: 0 }, {}])
    expect(await list('/api/references?code=9782900000144')).toMatchObject([{ name: 'Isbn qualifié' }])
    await works.undo(one.act)
    const done = await twice(works, 'isbn.csv', of('40-isbn-qualifie.csv'))
    expect(done.counts).toMatchObject({ added: 4, copies: 4, refused: 0 })
    expect(done.again).toMatchObject({ added: 0, unchanged: 4 })
    expect(kinds(done)).toEqual({ same_code: 3 })
    const found = await list('/api/references?code=9782900000144&order[id]=asc')
    expect(found.map(({ name }: { name: string }) => name)).toEqual([
      'Isbn broché',
      'Isbn relié prix',
      'Isbn nu',
      'Deux isbn',
    ])
  })

  it('knows a reader by a card whose zeros a sheet took away, where the name is the same', async () => {
    await readers.whole('carte.csv', 'N° carte;Nom;Prénom\n000777;Zéro;T\n', { site: 1 })
    const done = await twice(readers, 'zeros.csv', of('42-cartes-zeros.csv'))
    expect(done.counts).toMatchObject({ added: 0, changed: 1, refused: 0 })
    expect(await list('/api/beneficiaries?searchname=Zéro')).toMatchObject([
      { reader_id: '000777', email: 'zero@example.org' },
    ])
  })

  describe('of loans', () => {
    let loans: ReturnType<typeof importing>
    beforeAll(async () => {
      server.moveTo('2026-11-28T09:00:00.000Z')
      admin = await server.as('admin')
      loans = importing(server, admin, 'loans')
      works = importing(server, admin)
      readers = importing(server, admin, 'readers')
      await works.whole('oeuvre.csv', 'titre;code-barres\nBords;00012345\n', { site: 1 })
      await readers.whole('lecteur.csv', 'matricule;nom\nWB01;Bords\n', { site: 1 })
    })

    it('refuses the code of a copy whose zeros a sheet took away', async () => {
      const done = await twice(loans, 'zeros.csv', of('28-prets-zeros-perdus.csv'))
      expect([done.counts, done.again]).toMatchObject([{ added: 0, refused: 1 }, { refused: 1 }])
      expect(done.reasons).toEqual([[2, 'Aucun exemplaire ne porte le code-barres 12345.']])
    })

    it('refuses one that ends before it begins, begins after today or is nobody’s, and has the same one once', async () => {
      const done = await twice(loans, 'bords.csv', of('41-prets-bords.csv'))
      expect(done.counts).toMatchObject({ added: 1, unchanged: 1, refused: 4 })
      // Of a copy that its reader has, no line is judged further.
      expect(done.again).toMatchObject({ added: 0, unchanged: 3, refused: 3 })
      expect(done.reasons).toEqual([
        [2, 'Le retour prévu est avant le prêt.'],
        [3, 'Ce prêt commence après aujourd’hui.'],
        [4, 'La ligne ne dit pas qui a emprunté\u202f: il faut un matricule ou un numéro de carte.'],
        [5, 'Aucun lecteur n’a le numéro WB99.'],
      ])
      expect(await list('/api/loanings?status=in_progress')).toMatchObject([
        { copy_barcode: '00012345', start_date: '2026-11-01', comment: 'sans retour' },
      ])
    })
  })
})
