import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
  await userEvent.tab()
}

describeServer('the screen of open days', (server) => {
  beforeEach(async () => {
    await sql`truncate loanings, closures, acts, jobs, mail_outbox restart identity cascade`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    const admin = await server.as('admin')
    for (const site of [1, 2]) await admin.put(`/api/sites/${site}`, { open_weekdays: [1, 2, 3, 4, 5, 6] })
    for (const site of [1, 2]) await admin.put(`/api/sites/${site}`, { open_weekdays: [1, 2, 3, 4, 5, 6, 7] })
    for (const copy of [1, 2]) {
      const lent = await admin.post('/api/loanings', { copy, beneficiary: copy }, { site: 1 })
      expect(lent.body.end_date).toBe('2026-03-31')
    }
  })
  const due = async () =>
    (await sql<{ end_date: string }>`select end_date from loanings order by id`.execute(server.db)).rows.map(
      ({ end_date }) => end_date,
    )

  it('closes in one act, once what moves has been read', async () => {
    const page = await openApp(server, '/settings/closures')
    await press('Fermer…')
    const dialog = await inDialog('Fermer')
    await userEvent.click(dialog.getByRole('button', { name: 'Fermer ces jours' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Écrivez le premier jour de fermeture.')
    await write(dialog.getByLabelText(/^Premier jour/), '30/03/2026')
    await write(dialog.getByLabelText(/^Dernier jour/), '03/04/2026')
    await write(dialog.getByLabelText(/^Motif/), 'Congés')
    const moves = await dialog.findByRole('status', { name: 'Ce qui se déplace' })
    await waitFor(() => expect(moves).toHaveTextContent('2 retours se déplacent'))
    expect(moves).toHaveTextContent('Livre numéro 131/03 → 04/04/2026')
    await write(dialog.getByLabelText(/^Répartir les retours/), '2')
    await waitFor(() =>
      expect(moves).toHaveTextContent(/samedi 04\/04\/2026\s: 1 · dimanche 05\/04\/2026\s: 1/),
    )
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Écrire une fois/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Fermer ces jours' }))
    expect(await screen.findByText(/^Fermeture enregistrée\s: les retours se déplacent\.$/)).toBeVisible()
    expect(
      await screen.findByRole('row', { name: /^Congés 30\/03\/2026 03\/04\/2026 Tous les sites/ }),
    ).toBeVisible()
    await server.doJobs()
    expect(await due()).toEqual(['2026-04-05', '2026-04-04'])
    const { rows } = await sql`select from mail_outbox`.execute(server.db)
    expect(rows).toHaveLength(2)
    const { body } = await page.client.get('/api/acts')
    expect(body['hydra:member']).toMatchObject([{ kind: 'closures.close', touched: 3 }])
  })

  it('says at once that a closure of years is too long, and until when it may last', async () => {
    await openApp(server, '/settings/closures')
    await press('Fermer…')
    const dialog = await inDialog('Fermer')
    await write(dialog.getByLabelText(/^Premier jour/), '30/03/2026')
    const last = dialog.getByLabelText(/^Dernier jour/)
    await write(last, '30/03/2096')
    expect(last).toHaveAccessibleDescription(
      /^Une fermeture dure au plus 366 jours\s: dernier jour au plus tard le 30\/03\/2027\.$/,
    )
    expect(dialog.queryByRole('status', { name: 'Ce qui se déplace' })).toBeNull()
    await write(last, '30/03/2027')
    expect(await dialog.findByRole('status', { name: 'Ce qui se déplace' })).toBeVisible()
    expect(last).not.toHaveAccessibleDescription()
  })

  it('offers the public holidays to come, all ticked, and closes them in one act', async () => {
    await sql`insert into closures (first_day, last_day, label) values ('2026-05-01', '2026-05-01', 'Fête du Travail')`.execute(
      server.db,
    )
    await openApp(server, '/settings/closures')
    await press('Jours fériés 2026')
    const dialog = await inDialog('Jours fériés 2026')
    const ticks = await dialog.findAllByRole('checkbox')
    // New Year's day has passed, and the first of May is closed already.
    expect(ticks).toHaveLength(9)
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Lundi de Pentecôte, lundi 25\/05\/2026/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Fermer 8 jours' }))
    expect(await screen.findByText('Jours fériés enregistrés.')).toBeVisible()
    const { rows } = await sql<{ day: string }>`
      select first_day::text as day from closures where act is not null order by 1`.execute(server.db)
    expect(rows.map(({ day }) => day)).toEqual([
      '2026-04-06',
      '2026-05-08',
      '2026-05-14',
      '2026-07-14',
      '2026-08-15',
      '2026-11-01',
      '2026-11-11',
      '2026-12-25',
    ])
  })

  it('opens and closes weekdays at a touch, and asks whether what is due then moves', async () => {
    await openApp(server, '/settings/closures')
    const centre = within(await screen.findByRole('group', { name: /^Jours ouverts\s: Centre$/ }))
    // The 31st is a Tuesday.
    await userEvent.click(centre.getByRole('button', { name: 'mardi' }))
    const question = await inDialog(/^Déplacer 2 retours\s\?$/)
    await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    await waitFor(() =>
      expect(centre.getByRole('button', { name: 'mardi' })).toHaveAttribute('aria-pressed', 'false'),
    )
    await waitFor(async () => {
      await server.doJobs()
      expect(await due()).toEqual(['2026-04-01', '2026-04-01'])
    })
    await userEvent.click(centre.getByRole('button', { name: 'mardi' }))
    await waitFor(() =>
      expect(centre.getByRole('button', { name: 'mardi' })).toHaveAttribute('aria-pressed', 'true'),
    )
    const { rows } = await sql<{ open_weekdays: number[] }>`
      select open_weekdays from sites order by id`.execute(server.db)
    expect(rows.map(({ open_weekdays }) => open_weekdays.length)).toEqual([7, 7])
  })
})
