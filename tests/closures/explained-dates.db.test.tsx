import '../support/page-globals.ts'

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { forgetOpenings } from '../../src/server/library-facts/openings.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { noNetwork } from '../loans/open-counter.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)
afterEach(closeApp)

describeServer('a date that explains itself', (server) => {
  beforeEach(async () => {
    setPreference('scanner_prefix', '~')
    await sql`truncate loanings, closures restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    // A Monday's medium, lent on a Tuesday.
    await sql`update media set start_day = 1 where id = 1`.execute(server.db)
    await sql`insert into closures (site, first_day, last_day, label) values
      (1, '2026-03-30', '2026-03-31', 'Inventaire'), (1, '2026-04-21', '2026-04-24', 'Congés'), (2, '2026-03-31', '2026-04-20', 'Travaux')`.execute(
      server.db,
    )
    forgetOpenings(server.environment)
  })

  it.each([true, false])('says why on its line at the counter, on line: %s', async (isOnline) => {
    const page = await openHome(server)
    await page.knows()
    if (!isOnline) page.device.network = noNetwork
    typeScan('R1')
    typeScan('1001')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    expect(await within(lane).findByText('3 semaines, puis fermé le 31/03, le 01/04')).toBeVisible()
    expect(within(lane).getByText(/Retour le 01\/04\/2026/)).toBeVisible()
    expect(within(lane).getByText('Ce support se prête d’habitude le lundi.')).toBeVisible()
  })

  it('says why on the page of the loan, and before it is extended', async () => {
    const biblio = await server.as('biblio')
    const { body } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { site: 1 })
    expect(body.end_date).toBe('2026-04-01')
    await openApp(server, `/loanings/view/${body.id}`)
    expect(await screen.findByText('3 semaines, puis fermé le 31/03, le 01/04')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: 'Prolonger' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Prolonger le prêt' }))
    expect(await dialog.findByText('6 semaines, puis fermé du 21 au 24, le 25.')).toBeVisible()
    expect(dialog.getByRole('status')).toHaveTextContent('prolongé jusqu’au 25/04/2026')
  })
})
