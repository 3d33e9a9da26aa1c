import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const rename = async (from: string, to: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Renommer\u202f: ${from}` }))
  const dialog = await screen.findByRole('dialog', { name: /^Renommer/ })
  const name = within(dialog).getByRole('textbox', { name: /Nom/ })
  await userEvent.clear(name)
  await userEvent.paste(to)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
}

describeServer('the screen of contracts, statuses and dossiers', (server) => {
  it('renames, and asks before it makes one of two', async () => {
    const client = await server.as('admin')
    await client.put('/api/beneficiaries/1', { contract_type: 'Annuel' })
    await client.put('/api/beneficiaries/2', { contract_type: 'Mensuel' })
    await openApp(server, '/settings/readers')
    await rename('Annuel', 'À l’année')
    expect(await screen.findByText('Vos modifications ont bien été prises en compte.')).toBeVisible()
    await waitFor(async () =>
      expect((await client.get('/api/beneficiaries/1')).body.contract_type).toBe('À l’année'),
    )
    await rename('Mensuel', 'À l’année')
    const question = await screen.findByRole('dialog', { name: /^Fondre/ })
    expect(question).toHaveTextContent('existe déjà')
    expect((await client.get('/api/beneficiaries/2')).body.contract_type).toBe('Mensuel')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(async () =>
      expect((await client.get('/api/beneficiaries/2')).body.contract_type).toBe('À l’année'),
    )
    await waitFor(() => expect(screen.queryByText('Mensuel')).toBeNull())
  })
})
