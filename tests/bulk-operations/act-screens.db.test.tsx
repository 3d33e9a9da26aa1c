import '../support/page-globals.ts'

import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('« Actes »', (server) => {
  it('tells what was done to several copies at once, and takes it back but for what changed since', async () => {
    const page = await openApp(server, '/settings/copies')
    for (const code of ['1001', '1002', '1003'])
      await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(`${code},`) }))
    await press('Rendre indisponible')
    await screen.findByText('3 exemplaires mis à jour.')
    await page.client.put('/api/copies/2', { state: 'DAMAGED' })

    await act(() => page.router.navigate('/settings/acts'))
    await userEvent.click(await screen.findByRole('link', { name: '3 exemplaires\u202f: Non Disponible' }))
    expect(await screen.findByText('Modifié depuis')).toBeVisible()
    await press('Annuler l’acte')
    const asked = await screen.findByRole('dialog', { name: /^Annuler l’acte/ })
    expect(asked).toHaveTextContent('3 éléments retrouveront')
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    await screen.findAllByText('Son annulation est en cours.')
    await server.doJobs()
    expect((await screen.findAllByText('Annulé, sauf 1')).length).toBeGreaterThan(0)
    await userEvent.click(await screen.findByRole('radio', { name: 'Restés comme ils sont (1)' }))
    const kept = await screen.findByText('Il a été modifié depuis.')
    expect(kept.closest('li')).toHaveTextContent('Depuis')
    expect(kept.closest('li')).toHaveTextContent('Endommagé')
    const { body } = await page.client.get(
      '/api/copies?filters[bar_code|in]=1001,1002,1003&order[bar_code]=asc',
    )
    expect(body['hydra:member'].map((copy: { status_name: string }) => copy.status_name)).toEqual([
      'Disponible',
      'Non Disponible',
      'Disponible',
    ])
  })
})
