import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { createApp } from '../../src/server/app.ts'
import { typeScan } from '../home/open-home.tsx'
import { type Network, networkTo } from '../loans/open-counter.tsx'
import { noNotice, openLookUpStub } from '../support/look-up-stub.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

const isbn = '9782070360024'
const known = {
  code: isbn,
  name: 'L’Étranger',
  description: '',
  tags: { author: 'Camus, Albert', year: '1942' },
  reference_data: {},
  covers: [],
  sources: { name: 'bnf', 'tags.author': 'bnf', 'tags.year': 'openlibrary' },
}
const field = (name: string) => screen.findByRole('textbox', { name })

// Nothing is asked outside: the one code that is known is an answer of before.
describeServer('a reference whose code is looked up', (server) => {
  it('is filled by a scan of its ISBN, beside what was written, and says whose each field is', async () => {
    await sql`insert into looked_up_codes (code, answer, asked_at)
      values (${isbn}, ${JSON.stringify(known)}::jsonb, ${server.now.toISOString()})`.execute(server.db)
    await openApp(server, '/references/add')
    fireEvent.change(await field('Auteur'), { target: { value: 'Camus' } })
    typeScan(isbn)
    expect(await screen.findByText(/^Notice trouvée/)).toBeVisible()
    expect(await field('Titre')).toHaveValue('L’Étranger')
    expect(await field('Année')).toHaveValue('1942')
    expect(await field('Code')).toHaveValue(isbn)
    expect(await field('Auteur')).toHaveValue('Camus')
    expect(screen.getByText('D’après BnF')).toBeVisible()
    expect(screen.getByText('D’après Open Library')).toBeVisible()
  })

  it('is another’s after a second scan, and nobody’s after that of an unknown code, but for what somebody wrote meanwhile', async () => {
    const other = {
      ...known,
      code: '9782070413119',
      name: 'Madame Bovary',
      tags: { author: 'Flaubert, Gustave' },
      sources: { name: 'openlibrary', 'tags.author': 'bnf' },
    }
    await sql`insert into looked_up_codes (code, answer, asked_at)
      values (${other.code}, ${JSON.stringify(other)}::jsonb, ${server.now.toISOString()})`.execute(server.db)
    await openApp(server, '/references/add')
    const [code, title, author, year] = [
      await field('Code'),
      await field('Titre'),
      await field('Auteur'),
      await field('Année'),
    ]
    typeScan(isbn)
    await waitFor(() => expect(title).toHaveValue('L’Étranger'))
    typeScan(other.code)
    await waitFor(() => expect(title).toHaveValue('Madame Bovary'))
    expect(code).toHaveValue(other.code)
    expect(author).toHaveValue('Flaubert, Gustave')
    expect(year).toHaveValue('')
    expect(screen.getByText('D’après BnF')).toBeVisible()
    expect(screen.getByText('D’après Open Library')).toBeVisible()

    fireEvent.change(title, { target: { value: 'Madame Bovary, annotée' } })
    expect(screen.queryByText('D’après Open Library')).toBeNull()
    typeScan(isbn)
    await waitFor(() => expect(author).toHaveValue('Camus, Albert'))
    expect(year).toHaveValue('1942')
    expect(title).toHaveValue('Madame Bovary, annotée')

    typeScan('9782075187541')
    expect(await screen.findByText(/n’est connu d’aucun catalogue/)).toBeVisible()
    expect(author).toHaveValue('')
    expect(year).toHaveValue('')
    expect(title).toHaveValue('Madame Bovary, annotée')
  })

  it('is looked up by Enter after a typed ISBN, which saves nothing', async () => {
    await openApp(server, '/references/add')
    fireEvent.change(await field('Code'), { target: { value: '2-07-036002-4' } })
    await userEvent.type(await field('Code'), '{Enter}')
    expect(await screen.findByText(/^Notice trouvée/)).toBeVisible()
    expect(await field('Titre')).toHaveValue('L’Étranger')
    expect(screen.queryByText(/Titre.*obligatoire/)).toBeNull()
  })

  it('stays to be written by hand where nobody knows the code', async () => {
    await openApp(server, '/references/add?code=9782075187541')
    expect(await screen.findByText(/n’est connu d’aucun catalogue/)).toBeVisible()
    fireEvent.change(await field('Titre'), { target: { value: 'Un livre' } })
    await userEvent.click(screen.getByRole('button', { name: 'Enregistrer' }))
    expect(await screen.findByText('Référence ajoutée avec succès.')).toBeVisible()
  })

  it('says what to do, and no number, where the server itself failed', async () => {
    const real = networkTo(server)
    const network: Network = (request) =>
      request.url.includes('/external_codes/')
        ? Promise.resolve(
            Response.json({ code: 500, message: 'Une erreur inattendue. Incident 42.' }, { status: 500 }),
          )
        : real(request)
    await openApp(server, `/references/add?code=${isbn}`, { network })
    expect(
      await screen.findByText(
        /^La recherche n’a pas abouti\s: réessayez, ou remplissez la notice à la main\.$/,
      ),
    ).toBeVisible()
    expect(screen.queryByText(/Incident/)).toBeNull()
  })

  it('shows the cover of a source beside what it tells, and lets go of it', async () => {
    const stub = await openLookUpStub()
    const app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      lookUpSources: stub.sources,
    })
    await server.db.deleteFrom('looked_up_codes').execute()
    const network: Network = (request) => Promise.resolve(app.request(request))
    await openApp(server, `/references/add?code=${isbn}`, { network })
    expect(await screen.findByRole('img', { name: 'Celle qui sera enregistrée' })).toBeVisible()
    const section = screen.getByRole('region', { name: 'Image' })
    expect(within(section).getByText('D’après BnF')).toBeVisible()
    // The next code is known to nobody.
    stub.answers.sru = { body: noNotice }
    stub.answers.books = { body: '{}' }
    typeScan('9782075187541')
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Celle qui sera enregistrée' })).toBeNull())
    typeScan(isbn)
    expect(await screen.findByRole('img', { name: 'Celle qui sera enregistrée' })).toBeVisible()
    await userEvent.click(within(section).getByRole('button', { name: `Retirer ${isbn}.webp` }))
    expect(screen.queryByRole('img', { name: 'Celle qui sera enregistrée' })).toBeNull()
    expect(within(section).queryByText('D’après BnF')).toBeNull()
    await stub.close()
  })
})
