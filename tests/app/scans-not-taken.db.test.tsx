import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

afterEach(closeApp)

/** The prefix makes a short code certain. */
const scan = (code: string): void => typeAsScanner(`~${code}`)
const strip = () => screen.findByText(/codes? non pris/)
const noStrip = () => waitFor(() => expect(screen.queryByText(/codes? non pris/)).toBeNull())

describeServer('codes that nobody took', (server) => {
  it('wait under a dialog, and are taken up by the counter in their order', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/settings/categories')
    await userEvent.click(await screen.findByRole('button', { name: /^Ajouter/ }))
    await screen.findByRole('dialog')
    for (const code of ['R1', '1001', '1002', '1001']) scan(code)
    expect(await strip()).toHaveTextContent('3 codes non pris')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await act(() => page.router.navigate('/home'))
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await userEvent.click(screen.getByRole('button', { name: 'Les reprendre' }))
    await noStrip()
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    await waitFor(() => expect(within(lane).getAllByText('Enregistré')).toHaveLength(2))
  })

  it('are put away by a press, and are nobody else’s', async () => {
    setPreference('scanner_prefix', '~')
    await openApp(server, '/settings/categories')
    await screen.findByRole('heading', { name: 'Catégories', level: 1 })
    scan('1003')
    expect(await strip()).toHaveTextContent('1 code non pris')
    // Faster than the first can be looked up.
    scan('1005')
    scan('1006')
    await waitFor(async () => expect(await strip()).toHaveTextContent('3 codes non pris'))
    await userEvent.click(screen.getByRole('button', { name: 'Écarter' }))
    await noStrip()
    scan('1004')
    await strip()
    await closeApp()
    await openApp(server, '/settings/categories', { as: 'biblio' })
    await screen.findByRole('button', { name: 'Aide' })
    await noStrip()
  })
})
