import { existsSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

const data = new URL('../../../shared/data/', import.meta.url)

/** Real files and files made in their likeness, which may not be handed on: tried where they are. */
describeServer('importing the files of real libraries', (server) => {
  const sites = Object.fromEntries(
    ['Médiathèque centrale', 'Dépôt départemental', "Bibliothèque de l'Hêtre"].map((name) => [name, 1]),
  )
  const of = async (subject: string) => {
    const files = importing(server, await server.as('admin'), subject)
    /** What it does, which was told before, and what it does the second time. */
    const twice = async (name: string) => {
      const source = readFileSync(new URL(name, data))
      const { id } = await files.read(name, source)
      await files.change(id, { choices: { site: 1, sites } })
      const tried = await files.check(id)
      const first = await files.run(id)
      expect(tried.counts).toEqual(first.counts)
      const again = await files.whole(name, source, { site: 1, sites })
      return { first, counts: [first.counts, again.counts] }
    }
    return { ...files, twice }
  }
  const counted = (added: number, changed: number, unchanged: number, refused: number) =>
    expect.objectContaining({ added, changed, unchanged, refused })

  it.skipIf(!existsSync(data))(
    'knows the same notices in any charset, and refuses damaged ones alone',
    async () => {
      const { twice } = await of('references')
      const first = await twice('unimarc_995/utf8.mrc')
      expect(first.counts).toEqual([counted(200, 0, 0, 0), counted(0, 0, 200, 0)])
      expect(first.counts[0]!.copies).toBe(309)
      for (const [name, rows] of [
        ['iso5426', 120],
        ['windows1252', 60],
        ['twins', 10],
      ] as const) {
        expect((await twice(`unimarc_995/${name}.mrc`)).counts[0]).toEqual(counted(0, 0, rows, 0))
      }
      expect((await twice('unimarc_995/damaged.mrc')).counts[0]).toEqual(counted(0, 0, 26, 4))
    },
    120_000,
  )

  it.skipIf(!existsSync(data))(
    'knows the same readers in any charset, then the loans of those copies to them',
    async () => {
      server.moveTo('2026-11-23T09:00:00.000Z')
      const readers = await of('readers')
      expect((await readers.twice('readers_utf8.csv')).counts).toEqual([
        counted(395, 1, 0, 4),
        counted(0, 0, 396, 4),
      ])
      for (const name of ['readers_windows1252', 'readers_macroman'])
        expect((await readers.twice(`${name}.csv`)).counts[0]).toEqual(counted(0, 0, 116, 4))
      const loans = await of('loans')
      const { first, counts } = await loans.twice('loans_open.csv')
      expect(counts).toEqual([counted(89, 0, 0, 4), counted(0, 0, 89, 4)])
      // One of a reader whose line was refused, and the three that are wrong.
      const lines = (await loans.refusals(first.id)).map(({ line }: { line: number }) => line)
      expect(lines.slice(1)).toEqual([92, 93, 94])
    },
    120_000,
  )

  it.skipIf(!existsSync(data))(
    'brings in a whole catalogue, finds every work again, and takes all of it back',
    async () => {
      const files = await of('references')
      const before = (
        await server.db.selectFrom('references').select('id').where('deleted_at', 'is', null).execute()
      ).length
      const { first, counts } = await files.twice('catalogue_toulouse.csv')
      expect(counts[0]!.added + counts[0]!.changed + counts[0]!.unchanged + counts[0]!.refused).toBe(8401)
      expect(counts).toEqual([expect.objectContaining({ added: 8368, refused: 1 }), counted(0, 0, 8400, 1)])
      await files.undo(first.act)
      const after = await server.db
        .selectFrom('references')
        .select('id')
        .where('deleted_at', 'is', null)
        .execute()
      expect(after).toHaveLength(before)
    },
    300_000,
  )
})
