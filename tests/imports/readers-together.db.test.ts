import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { ImportRefusal } from '../../src/contract/imports.ts'
import { importOnServer } from '../../src/server/imports/import-on-server.ts'
import { StatementRecorder } from '../bench/scale/captured-statements.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

const directory = mkdtempSync(join(tmpdir(), 'comptoir-readers-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describeServer('many readers', (server) => {
  let admin: Client
  let files: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    files = importing(server, admin, 'readers')
    // The numbers that are given here come after all those of the files.
    await files.whole('dernier.csv', 'matricule;nom\n99999999;Dernier\n')
  })

  it.each([
    ['readers', (at: string) => `N${at};C${at};Nom ${at};Prénom;Annuel;Centre`],
    ['references', (at: string) => `Titre ${at};Autrice;B${at};Centre`],
  ])('are brought in by as many statements as few, as %s are', async (subject, lineOf) => {
    const header =
      subject === 'readers' ? 'matricule;carte;nom;prénom;contrat;site' : 'titre;auteur;code-barres;site'
    const recorder = new StatementRecorder(server.environment.pool)
    const path = join(directory, 'lignes.csv')
    const statements = async (count: number) => {
      const lines = Array.from({ length: count }, (_, at) => lineOf(`${count}x${at}`))
      writeFileSync(path, [header, ...lines, ''].join('\n'))
      const asked = {
        path,
        name: 'lignes.csv',
        username: 'admin',
        subject,
        site: null,
        isDry: false,
        now: () => server.now,
      }
      const recorded = await recorder.record(() => importOnServer(server.environment, asked))
      expect(recorded.result).toMatch(new RegExp(`^${count} lignes\\s: ${count} ajoutées, .* 0 refusée\\.`))
      return recorded.statements.length
    }
    // Warms what is remembered between calls.
    await statements(3)
    const few = await statements(4)
    expect(few).toBeGreaterThan(0)
    expect(await statements(36)).toBe(few)
  })

  describe('whose cards pass from one to another', () => {
    const header = 'matricule;carte;nom'
    const policies = { reader_id: 'overwrite' }
    const cards = async () =>
      Object.fromEntries(
        (
          await server.db
            .selectFrom('beneficiaries')
            .select(['matricule', 'reader_id'])
            .where('matricule', 'in', ['P1', 'P2', 'P3'])
            .where('deleted_at', 'is', null)
            .execute()
        ).map(({ matricule, reader_id }) => [matricule, reader_id]),
      )
    const before = { P1: 'PA', P2: null, P3: 'PC' }
    beforeAll(async () => {
      await files.whole('avant.csv', `${header}\nP1;PA;Un\nP2;;Deux\nP3;PC;Trois\n`)
      expect(await cards()).toEqual(before)
    })

    it.each([
      ['given up by the line before', ['P1;PB;Un', 'P2;PA;Deux'], { P1: 'PB', P2: 'PA', P3: 'PC' }],
      ['given up twice', ['P1;PB;Un', 'P1;PD;Un', 'P2;PB;Deux'], { P1: 'PD', P2: 'PB', P3: 'PC' }],
      [
        'given up before a line that its reader has a second time',
        ['P2;PX;Deux', 'P2;PY;Deux', 'P1;PB;Un', 'P2;PA;Deux'],
        { P1: 'PB', P2: 'PA', P3: 'PC' },
      ],
      ['passed on twice', ['P1;PB;Un', 'P3;PA;Trois', 'P2;PC;Deux'], { P1: 'PB', P2: 'PC', P3: 'PA' }],
    ])(
      'have the card that was %s, and their own again when the import is undone',
      async (_, lines, after) => {
        const { id } = await files.read('cartes.csv', `${header}\n${lines.join('\n')}\n`)
        await files.change(id, { choices: { policies } })
        const all = { changed: lines.length, refused: 0 }
        expect((await files.check(id)).counts).toMatchObject(all)
        expect(await cards()).toEqual(before)
        const { counts, act } = await files.run(id)
        expect(counts).toMatchObject(all)
        expect(await cards()).toEqual(after)
        await files.undo(act)
        expect(await cards()).toEqual(before)
      },
    )

    it('are told that a card is given up further down, and have it the second time', async () => {
      const file = `${header}\nP2;PA;Deux\nP1;PB;Un\n`
      const { id } = await files.read('plus-bas.csv', file)
      await files.change(id, { choices: { policies } })
      await files.check(id)
      const { counts, act } = await files.run(id)
      expect(counts).toMatchObject({ changed: 1, refused: 1 })
      expect((await files.refusals(id))[0].reason).toContain('importez de nouveau les lignes refusées')
      const again = await files.whole('plus-bas.csv', file, { policies })
      expect(again.counts).toMatchObject({ changed: 1, unchanged: 1, refused: 0 })
      expect(await cards()).toEqual({ P1: 'PB', P2: 'PA', P3: 'PC' })
      await files.undo(again.act)
      await files.undo(act)
      expect(await cards()).toEqual(before)
    })

    it('are told at each line that the card is another’s until then, and keep theirs', async () => {
      const { id } = await files.read('échange.csv', `${header}\nP1;PC;Un\nP3;PA;Trois\n`)
      await files.change(id, { choices: { policies } })
      expect((await files.check(id)).counts).toMatchObject({ changed: 0, refused: 2 })
      expect((await files.run(id)).counts).toMatchObject({ changed: 0, refused: 2 })
      expect(await files.refusals(id)).toEqual([
        {
          line: 2,
          field: 'reader_id',
          reason: expect.stringMatching(/lecteur PC est déjà celui de Trois.* pour un échange, ôtez/),
        },
        {
          line: 3,
          field: 'reader_id',
          reason: expect.stringMatching(/lecteur PA est déjà celui d’Un.* pour un échange, ôtez/),
        },
      ])
      expect(await cards()).toEqual(before)
    })
  })

  it('become what they become one by one, whatever file comes, and are tried alike', async () => {
    let state = 20261128
    const below = (most: number) => (state = (state * 48271) % 2147483647) % most
    const oneOf = (...values: string[]) => values[below(values.length)]!
    const header = 'matricule;carte;nom;prénom;naissance;courriel;commune;contrat'
    const names = ['Élan', 'ELAN', 'Œuvre', 'Oeuvre', 'Petit']
    const told = async () => {
      const rows = await server.db
        .selectFrom('beneficiaries')
        .select(['lastname', 'firstname', 'reader_id', 'birth_year', 'email', 'commune', 'contract_type'])
        .where('deleted_at', 'is', null)
        .where('lastname', 'in', names)
        .execute()
      return rows.map((row) => JSON.stringify(row)).sort()
    }
    // Numbers that are given here are others the second time.
    const unnumbered = ({ reason, ...why }: Omit<ImportRefusal, 'id'>) => ({
      ...why,
      reason: reason.replace(/ \(\d{9}\)/, ''),
    })
    for (let file = 0; file < 2; file += 1) {
      const lines = Array.from({ length: 10 + below(10) }, () => {
        const number = below(9)
        return [
          oneOf('', '', `5${number}`, `005${number}`),
          oneOf('', '', `7${below(9)}`, `0007${below(9)}`, `K${below(5)}`),
          oneOf(...names),
          oneOf('Ana', 'Luc'),
          oneOf('', '1980', '1981'),
          oneOf('', 'a@exemple.fr', 'b@exemple.fr'),
          oneOf('', 'Albi', 'Auch'),
          oneOf('', 'Annuel', 'Été'),
        ].join(';')
      })
      const how = () => oneOf('fill', 'overwrite', 'keep')
      const policies = { email: how(), commune: how(), contract_type: how(), reader_id: how() }
      const source = `${header}\n${lines.join('\n')}\n`
      const { id } = await files.read('ensemble.csv', source)
      await files.change(id, { choices: { policies } })
      const tried = await files.check(id)
      const together = await files.run(id)
      const [refused, all] = [(await files.refusals(id)).map(unnumbered), await told()]
      expect({ counts: tried.counts, source, policies }).toEqual({
        counts: together.counts,
        source,
        policies,
      })
      await files.undo(together.act)
      expect(await told()).toEqual([])

      const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 }
      const reasons: unknown[] = []
      const acts: (number | null)[] = []
      for (const [at, line] of lines.entries()) {
        const one = await files.whole('un.csv', `${header}\n${line}\n`, { policies })
        for (const name of ['added', 'changed', 'unchanged', 'refused'] as const)
          counts[name] += one.counts[name]
        for (const why of await files.refusals(one.id)) reasons.push(unnumbered({ ...why, line: at + 2 }))
        if (one.counts.added + one.counts.changed > 0) acts.push(one.act)
      }
      expect({ counts: together.counts, refused, all, source, policies }).toMatchObject({
        counts,
        refused: reasons,
        all: await told(),
        source,
        policies,
      })
      for (const act of acts.toReversed()) await files.undo(act)
    }
  }, 240_000)
})
