import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import type { ImportSample } from '../../src/contract/imports.ts'
import type { ImportSubject } from '../../src/domain/import-fields.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('trying a file whose lines fill in one another', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  /** What the dry run counts, which the real one must count as well. */
  const bothCount = async (source: string, choices: object = {}, subject: ImportSubject = 'references') => {
    const files = importing(server, admin, subject)
    const { id } = await files.read('fichier.csv', source)
    await files.change(id, { choices })
    const tried = await files.check(id)
    const refusals = folded(await files.refusals(id))
    const done = await files.run(id)
    expect({ counts: tried.counts, samples: tried.samples.map(told), refusals, source }).toEqual({
      source,
      counts: done.counts,
      samples: done.samples.map(told),
      refusals: folded(await files.refusals(id)),
    })
    return tried.counts
  }
  // A word or a title that is not there yet is spelt as its line has it, and one of the library as it is there.
  const folded = (facts: unknown) =>
    JSON.stringify(facts).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const told = ({ line, name, changes }: ImportSample) => [line, name, folded(changes)]

  it('counts a second line of one work that fills in what the first leaves empty', async () => {
    const counts = await bothCount(
      'isbn;titre;auteur;editeur;annee\n9782070360024;L’Étranger;Camus, Albert;;\n9782070360024;L’Étranger;;Gallimard;1942\n9782070360024;L’Étranger;;Folio;1942\n',
    )
    expect(counts).toMatchObject({ added: 1, changed: 1, unchanged: 1 })
  })

  it('counts a work of the library that one line changes, as the next one finds it', async () => {
    await admin.put('/api/references/2', { name: 'Germinal', code: '9782253004226' })
    const ofPublisher = (name: string) => `9782253004226;Germinal;${name}\n`
    // More than a step goes through.
    const others = Array.from({ length: 210 }, (_, at) => `;Entre-deux ${at};\n`).join('')
    const file = `isbn;titre;editeur\n${ofPublisher('Poche')}${others}${ofPublisher('Le livre de poche')}${ofPublisher('Poche')}`
    expect(await bothCount(file)).toMatchObject({ added: 210, changed: 1, unchanged: 2 })
    expect(await bothCount(file, { policies: { 'tags.publisher': 'overwrite' } })).toMatchObject({
      changed: 2,
    })
  })

  it('counts lines that know one another by a title which an earlier one wrote', async () => {
    const counts = await bothCount(
      'isbn;titre;auteur;editeur\n;Nana;Zola;\n9782253003656;Nana;Zola;\n9782253003656;Nana;;Poche\n;NANA;zola;poche\n;Nana;Zola;\n',
    )
    expect(counts).toMatchObject({ added: 2, changed: 2, unchanged: 1 })
  })

  it('counts a bar code on two lines by what each says of its copy', async () => {
    const file =
      'titre;code-barres;état;date d’achat\nPot-Bouille;6001;bon;\nPot-Bouille;6001;endommagé;2024-03-01\n'
    expect(await bothCount(file, { site: 1 })).toMatchObject({ added: 1, changed: 1, copies: 1 })
    const { body } = await admin.get('/api/copies?bar_code=6001')
    expect(body['hydra:member']).toMatchObject([{ state: 'GOOD', buy_date: '2024-03-01' }])
  })

  it('counts words that are not there yet as different ones', async () => {
    const counts = await bothCount(
      'titre;support;mots clés;code-barres;emplacement\nLa Curée;Cassette;mer;6101;Grenier\nLa Curée;Diapositive;Mèr;6101;Cave\nLa Curée;Diapositive;ciel;6101;Cave\n',
      {
        site: 1,
        makes_words: true,
        policies: { medium: 'overwrite', keywords: 'overwrite', 'copy.location': 'overwrite' },
      },
    )
    expect(counts).toMatchObject({ added: 1, changed: 2, words: 6 })
  })

  it('counts readers who are on several lines by any of their numbers', async () => {
    const counts = await bothCount(
      'Matricule;Numéro de carte;Nom;Prénom;Courriel;Contrat;Site\nZ1;C1;Roux;Ève;;Annuel;Centre\nZ1;;Roux;Ève;eve@exemple.fr;Annuel;\n;C1;Roux;Eve;autre@exemple.fr;Annuel;\nZ2;C1;Blanc;Luc;;Annuel;Centre\n;;Roux;Ève;;Annuel;\n',
      {},
      'readers',
    )
    expect(counts).toMatchObject({ added: 1, changed: 1 })
  })

  it('counts the same whatever small file comes, wherever its steps end', async () => {
    let state = 20261125
    const below = (most: number) => (state = (state * 48271) % 2147483647) % most
    const oneOf = (...values: string[]) => values[below(values.length)]!
    for (let file = 0; file < 6; file += 1) {
      // Some go through several steps, with few works that come again and again.
      const size = file % 3 === 2 ? 450 : 6 + below(50)
      const one = (of: number) => `${file}.${below(Math.ceil(size / of))}`
      const lines = Array.from({ length: size }, () =>
        [
          oneOf('', '', `C${one(9)}`),
          `${oneOf('Éole', 'Eole', 'Lœuvre', 'Loeuvre')} ${one(9)}`,
          oneOf('', 'Zola', 'Zóla', 'Hugo'),
          oneOf('', 'Poche'),
          oneOf('', '8,20', '9'),
          oneOf('', `Disque ${one(9)}`, `Bande ${one(9)}`),
          oneOf('', `pluie ${one(9)}`, `Pluie ${one(9)}`, 'neige|vent'),
          oneOf('', `R${one(5)}`),
          oneOf('', 'bon', 'endommagé'),
          oneOf('', `Nord ${one(9)}`, `Sud ${one(9)}`),
        ].join(';'),
      )
      const how = () => oneOf('fill', 'overwrite', 'keep')
      await bothCount(
        `isbn;titre;auteur;editeur;prix;support;mots clés;code-barres;état;emplacement\n${lines.join('\n')}\n`,
        {
          site: 1,
          makes_words: true,
          policies: {
            name: how(),
            code: how(),
            'tags.author': how(),
            medium: how(),
            keywords: how(),
            price: how(),
            'copy.state': how(),
            'copy.location': how(),
          },
        },
      )
    }
    const { rows } = await sql`select from import_seen`.execute(server.db)
    expect(rows).toEqual([])
  }, 120_000)
})
