import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { seedShelves, openInventory, read, scan } from './counting.ts'

afterEach(closeApp)

describeServer('the screen where an inventory is reviewed', (server) => {
  beforeEach(async () => {
    await seedShelves(server)
  })

  it('finishes an inventory that found all in its place', async () => {
    const admin = await server.as('admin')
    const { id } = await openInventory(admin, { locations: [1] })
    await scan(admin, id, ['1001', '1002'], { location: 1 })
    const page = await openApp(server, `/inventories/review/${id}`)
    expect(await screen.findByText('Tout ce qui est attendu a été vu à sa place.')).toBeVisible()
    expect(screen.getByText('Rien n’est à changer.')).toBeVisible()
    await press('Terminer sans rien changer')
    const asked = await screen.findByRole('dialog', { name: /^Terminer/ })
    expect(asked).toHaveTextContent('Aucun exemplaire ne change.')
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(page.address).toBe(`/inventories/view/${id}`))
    expect(await read(admin, id)).toMatchObject({ status: 'applied', expected: 2, seen: 2 })
  })

  it('shows the cover of each title that it names, and none beside a code that is nobody’s', async () => {
    const admin = await server.as('admin')
    const { id } = await openInventory(admin, { locations: [1] })
    await scan(admin, id, ['1001', 'RIEN'], { location: 1 })
    await openApp(server, `/inventories/review/${id}`)
    const missing = (await screen.findByText('Livre numéro 2')).closest('li')
    expect(missing?.querySelector('[data-words="LN"]')).not.toBeNull()
    await press(/^Inconnus/)
    const unknown = (await screen.findByText('RIEN')).closest('li')
    expect(unknown?.querySelector('[data-words]')).toBeNull()
  })

  it('names the site of a copy that belongs elsewhere', async () => {
    const admin = await server.as('admin')
    const { id } = await openInventory(admin, { locations: [1] })
    await scan(admin, id, ['1001', '1002', '2001'], { location: 1 })
    await openApp(server, `/inventories/review/${id}`)
    const finding = (await screen.findByText('2001')).closest('li')!
    expect(within(finding).getByText('Autre site')).toBeVisible()
    expect(within(finding).getByText('Annexe')).toBeVisible()
  })

  it('says, while one searches, how many are chosen in all, and offers no box for all', async () => {
    await sql`insert into copies (reference, bar_code, site, location)
      select 1, 'EN-' || n, 1, 1 from generate_series(1, 1200) n`.execute(server.db)
    const admin = await server.as('admin')
    const { id } = await openInventory(admin, { locations: [1] })
    await openApp(server, `/inventories/review/${id}`)
    await userEvent.click(await screen.findByRole('radio', { name: 'Rendre indisponibles' }))
    const all = () => screen.queryByRole('checkbox', { name: /^Tous/ })
    expect(all()).toHaveAccessibleName(/^Tous \(1\s202 sur 1\s202\)$/)
    const search = screen.getByLabelText('Chercher un titre')
    await userEvent.type(search, 'numéro 2')
    expect(all()).toBeNull()
    expect(
      screen.getByText(/^1\s202 sont choisis sur 1\s202, que la recherche les montre ou non\.$/),
    ).toBeVisible()
    await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1))
    await userEvent.click(screen.getByRole('checkbox', { name: /Livre numéro 2/ }))
    expect(screen.getByText(/^1\s201 sont choisis sur 1\s202/)).toBeVisible()
    await userEvent.clear(search)
    expect(all()).toHaveAccessibleName(/^Tous \(1\s201 sur 1\s202\)$/)
  })
})
