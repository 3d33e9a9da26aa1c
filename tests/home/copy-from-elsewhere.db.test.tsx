import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { chooseSite } from '../../src/client/api/session.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { findCopy, findReader, openLoansOf } from '../../src/offline/counter.ts'
import { judgeLend } from '../../src/offline/judge-lend.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeHome)

describeServer('a volunteer of one site', (server) => {
  it('takes back a copy of another site by one scan, and is told where it goes and nothing else', async () => {
    await setParameter(server, 'multisite', '1')
    await sql`insert into user_sites (user_id, site) select id, 2 from users where username = 'benevole'`.execute(
      server.db,
    )
    const centre = await server.as('biblio')
    for (const copy of [1, 12]) {
      const lent = await centre.post('/api/loanings', { beneficiary: 1, copy }, { site: 1 })
      expect(lent.status).toBe(201)
    }
    const page = await openHome(server, { username: 'benevole' })
    chooseSite({ id: 2, name: 'Annexe' })
    await page.knows()
    typeScan('1001')
    expect(await screen.findByText('À renvoyer à Centre.')).toBeVisible()
    const lane = screen.getByRole('list', { name: 'Derniers passages' })
    expect(lane).toHaveTextContent('Livre numéro 1')
    expect(within(lane).queryByRole('button', { name: /^Annuler/ })).toBeNull()

    // A copy of the own site that was lent at another comes back by one scan.
    typeScan('2002')
    await waitFor(async () => {
      const { body } = await centre.get('/api/loanings?status=in_progress')
      expect(body['hydra:totalItems']).toBe(0)
    })
    await waitFor(() => expect(within(lane).getAllByText('Confirmé')).toHaveLength(2))
    expect(within(lane).queryByRole('button', { name: /^Annuler/ })).toBeNull()
    expect(lane).not.toHaveTextContent(/Martin|Alice/)
  })

  it('holds loans of other sites as a count, off line as well', async () => {
    await emptyTables(server.db, 'loanings')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    const centre = await server.as('biblio')
    await sql`update "references" set medium = 2 where id in (1, 2)`.execute(server.db)
    for (const copy of [1, 2]) await centre.post('/api/loanings', { beneficiary: 1, copy }, { site: 1 })
    const page = await openHome(server, { username: 'benevole' })
    chooseSite({ id: 2, name: 'Annexe' })
    await page.knows()
    const reader = await findReader('R1')
    expect(await openLoansOf(reader?.beneficiary.id ?? 0)).toEqual([])
    const copy = await findCopy('2003')
    const judged = await judgeLend({ ...copy!, loan: null }, 1, '2026-03-10', { now: server.now })
    expect(judged.refusals.map(({ code }) => code)).toEqual(['MAX_LOANING'])
  })
})

describeServer('somebody of every site, at one of them', (server) => {
  it('reads of which site a copy is, and is not asked to add it to the catalogue', async () => {
    await setParameter(server, 'multisite', '1')
    const page = await openHome(server, { username: 'biblio' })
    chooseSite({ id: 2, name: 'Annexe' })
    await page.knows()
    typeScan('1001')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    const said = await within(lane).findByText(/^Changez de site ou renvoyez-le.*du site « Centre »\.$/)
    const line = within(said.closest('li')!)
    expect(line.queryByRole('button', { name: /^(Ajouter|Rendre)/ })).toBeNull()
  })
})
