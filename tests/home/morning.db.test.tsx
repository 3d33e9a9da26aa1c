import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

const { happyDOM } = globalThis as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void }
}
const usual = { width: innerWidth, height: innerHeight }
beforeEach(() => {
  setPreference('scanner_prefix', '~')
  happyDOM.setViewport({ width: 1440, height: 900 })
})
afterEach(async () => {
  await closeHome()
  happyDOM.setViewport(usual)
})

describeServer('what waits in the morning', (server) => {
  const lend = (copy: number, due: string) =>
    sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, ${copy}, 1, '2026-02-01', ${due}, 3, 'WEEK', '2026-02-01', '2026-02-01')`.execute(server.db)
  beforeEach(() => emptyTables(server.db, 'loanings', 'reservations', 'mail_outbox'))
  const work = async () => screen.findByRole('region', { name: 'À faire aujourd’hui' })

  it('leads from each kind of work to where it is done, and is silent of what nobody has to do', async () => {
    await lend(1, '2026-02-22')
    await lend(2, '2026-02-23')
    await lend(3, '2026-03-10')
    await openHome(server)
    const late = await within(await work()).findByRole('link', { name: '2 prêts en retard' })
    expect(late).toHaveAttribute('href', '/loanings?status|in=in_progress&islate|eq=1')
    expect(
      await within(await work()).findByRole('link', { name: '1 retour attendu aujourd’hui' }),
    ).toHaveAttribute(
      'href',
      '/loanings?status|in=in_progress&end_date|gte=2026-03-10&end_date|lte=2026-03-10',
    )
    expect(within(await work()).queryByRole('link', { name: /courriel/ })).toBeNull()
  })

  it('is told of nothing to who has no right to do it', async () => {
    await lend(1, '2026-02-22')
    await sql`insert into closures (first_day, last_day, label) values ('2026-03-12', '2026-03-12', 'Pont')`.execute(
      server.db,
    )
    await openHome(server, { username: 'admin' })
    await within(await work()).findByRole('link', { name: '1 fermeture à venir, dès le 12/03/2026' })
    await closeHome()
    await openHome(server, { username: 'benevole' })
    await within(await work()).findByRole('link', { name: '1 prêt en retard' })
    expect(within(await work()).queryByRole('link', { name: /fermeture/ })).toBeNull()
  })

  it('tells what came back since yesterday and is awaited from what stands on the shelf', async () => {
    await lend(1, '2026-03-09')
    await sql`update loanings set status = 'finished', return_date = '2026-03-09'`.execute(server.db)
    const biblio = await server.as('biblio')
    for (const reference_id of [1, 2])
      await biblio.post('/api/reservations', { beneficiary_id: 2, reference_id })
    await openHome(server)
    const rows = within(await work())
    const back = await rows.findByRole('link', { name: '1 exemplaire rendu depuis hier et attendu' })
    expect(back).toHaveAttribute('href', '/reservations/picking')
    expect(await rows.findByRole('link', { name: '1 exemplaire à chercher en rayon' })).toBeVisible()
  })

  it('tells an administrator that last night’s backup is not there, and leads to what to do', async () => {
    const fact = 'La dernière est du 08/03/2026\u202f: 2 jours de retard.'
    const network = networkTo(server)
    const late = async (request: Request) =>
      new URL(request.url).pathname === '/api/installation/backup'
        ? Response.json({
            '@type': 'Backup',
            trouble: { id: 'backup', label: 'Sauvegarde', state: 'wrong', fact, advice: null },
          })
        : network(request)
    await openHome(server, { username: 'admin', network: late })
    const row = await within(await work()).findByRole('link', { name: /^Sauvegarde en retard/ })
    expect(row).toHaveTextContent('2 jours de retard')
    expect(row).toHaveAttribute('href', '/settings/installation')
    await closeHome()
    await lend(1, '2026-02-22')
    await openHome(server, { network: late })
    await within(await work()).findByRole('link', { name: '1 prêt en retard' })
    expect(within(await work()).queryByRole('link', { name: /^Sauvegarde/ })).toBeNull()
  })

  it.each([390, 820])(
    'stands between the box and the lists where it is %i wide, until something is scanned',
    async (width) => {
      happyDOM.setViewport({ width, height: 844 })
      await lend(1, '2026-02-22')
      const page = await openHome(server)
      await page.knows()
      const region = await work()
      await within(region).findByRole('link', { name: '1 prêt en retard' })
      const box = screen.getByLabelText('Code-barres, carte ou nom du lecteur')
      const lists = await (width < 768
        ? screen.findByRole('tablist')
        : screen.findByRole('region', { name: 'En retard' }))
      const { DOCUMENT_POSITION_FOLLOWING: following } = Node
      expect(box.compareDocumentPosition(region) & following).toBeTruthy()
      expect(region.compareDocumentPosition(lists) & following).toBeTruthy()
      typeScan('1003')
      await screen.findByRole('list', { name: 'Derniers passages' })
      expect(screen.queryByRole('region', { name: 'À faire aujourd’hui' })).toBeNull()
    },
  )
})
