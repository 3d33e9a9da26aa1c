import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome } from './open-home.tsx'

const { happyDOM } = globalThis as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void }
}
const usual = { width: innerWidth, height: innerHeight }
beforeEach(() => happyDOM.setViewport({ width: 1440, height: 900 }))
afterEach(async () => {
  await closeHome()
  happyDOM.setViewport(usual)
})

describeServer('what waits in the morning', (server) => {
  const lend = (copy: number, due: string) =>
    sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, ${copy}, 1, '2026-02-01', ${due}, 3, 'WEEK', '2026-02-01', '2026-02-01')`.execute(server.db)
  beforeEach(() => emptyTables(server.db, 'loanings', 'mail_outbox'))
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
})
