import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type LookUpStub, noNotice, openLookUpStub } from '../support/look-up-stub.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

// Answers of real catalogues, which lie beside the repository, or in `COMPTOIR_SHARED`.
const shared = process.env['COMPTOIR_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const folder = join(shared, 'data', 'lookup')
const files = existsSync(folder) ? readdirSync(folder).toSorted() : []

type Told = { code: string; name: string; tags: object; source: 'bnf' | 'openlibrary' }
/** What completes a notice of Open Library, as its own paths answer it. */
const summaries = {
  'ol_edition.json': /^Sabriel, daughter of the necromancer/,
  'ol_work.json': /^First in the Old Kingdom/,
}

/** What a stored answer tells of a code, or null where its shape is none that the sources ask for. */
const stored: Readonly<Record<string, Told | null>> = {
  'bnf_sru_unimarcxchange.xml': {
    code: '9782800687346',
    name: "L'équipe des mascrottes",
    tags: { author: 'Petit, Dominique', publisher: 'Hemma', year: '2004' },
    source: 'bnf',
  },
  'ol_isbn_search.json': {
    code: '9782070427796',
    name: 'Les ombres errantes',
    tags: { author: 'Pascal Quignard', publisher: 'Gallimard', year: '2002' },
    source: 'openlibrary',
  },
  'inventaire_edition.json': null,
  'inventaire_isbn_search.json': null,
}
const codesIn = (text: string): string[] => ['9782070360024', ...(text.match(/\b97[89]\d{10}\b/g) ?? [])]

describe.skipIf(files.length === 0)(`with ${folder}, or skipped where it is not there`, () => {
  describeServer('the answers of real catalogues', (server) => {
    let stub: LookUpStub
    let biblio: Client
    beforeAll(async () => {
      stub = await openLookUpStub()
      const app = createApp({
        environments: [server.environment],
        logger: pino({ level: 'silent' }),
        now: () => server.now,
        checkAnswers: true,
        lookUpSources: stub.sources,
      })
      biblio = clientOf(app, (await server.as('biblio')).token)
    })
    afterAll(() => stub?.close())
    beforeEach(async () => {
      await stub.reset()
      stub.answers.sru = { body: noNotice }
      stub.answers.books = { body: '{}' }
      await server.db.deleteFrom('looked_up_codes').execute()
    })

    it('are all in the table', () => {
      expect(files).toEqual([...Object.keys(stored), ...Object.keys(summaries)].toSorted())
    })

    it.each(Object.keys(stored))('tell of %s what a reference is filled with', async (file) => {
      const body = readFileSync(join(folder, file), 'utf8')
      stub.answers[file.endsWith('.xml') ? 'sru' : 'books'] = { body }
      const told = stored[file]
      for (const code of told ? [told.code] : codesIn(body)) {
        const answer = await biblio.get(`/api/external_codes/${code}`)
        expect(answer.status).toBe(told ? 200 : 404)
        if (!told) continue
        expect(answer.body).toMatchObject({ code, name: told.name, tags: told.tags })
        expect(new Set(Object.values(answer.body.sources))).toEqual(new Set([told.source]))
        expect(answer.body.sources).toMatchObject({ name: told.source, 'tags.author': told.source })
      }
      expect(stub.asked.length).toBeGreaterThan(0)
    })

    it('tell the summary of an edition, else of its work unless the edition is French', async () => {
      const answerIn = (file: string) => readFileSync(join(folder, file), 'utf8')
      const edition = JSON.parse(answerIn('ol_edition.json'))
      const isbn = '9780060273224'
      const of = async (answers: { edition: object; work: string }) => {
        const told = { title: edition.title, key: edition.key, authors: [{ name: 'Garth Nix' }] }
        stub.answers.books = { body: JSON.stringify({ [`ISBN:${isbn}`]: told }) }
        stub.answers.edition = { body: JSON.stringify(answers.edition) }
        stub.answers.work = { body: answers.work }
        await server.db.deleteFrom('looked_up_codes').execute()
        return (await biblio.get(`/api/external_codes/${isbn}`)).body
      }
      const work = answerIn('ol_work.json')
      const full = await of({ edition, work })
      expect(full).toMatchObject({ name: 'Sabriel', sources: { description: 'openlibrary' } })
      expect(full.description).toMatch(summaries['ol_edition.json'])
      const { description: _, ...bare } = edition
      expect((await of({ edition: bare, work })).description).toMatch(summaries['ol_work.json'])
      expect(stub.asked.slice(-2)).toEqual(['/books/OL22951843M.json', '/works/OL15832982W.json'])
      const french = { ...bare, languages: [{ key: '/languages/fre' }] }
      expect((await of({ edition: french, work })).description).toBe('')
      // What completes it is not there, and the notice is all the same.
      expect(await of({ edition: bare, work: 'no JSON' })).toMatchObject({ name: 'Sabriel', description: '' })
    })
  })
})
