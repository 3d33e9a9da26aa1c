import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { helpOfScreens } from '../../src/client/help/help-dialog.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { cutNetwork, networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const helpDialog = () => screen.findByRole('dialog', { name: 'Aide' })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describeServer('the help', (server) => {
  it('is opened by ? and says the sentences of its screen, then the keys', async () => {
    await openApp(server, '/settings/categories')
    await screen.findByRole('heading', { name: 'Catégories', level: 1 })
    // The keys are heard once they came, which nothing shows.
    await waitFor(
      async () => {
        await userEvent.keyboard('?')
        expect(screen.getByRole('dialog')).toBeVisible()
      },
      { interval: 300 },
    )
    const help = within(await helpDialog())
    expect(help.getByRole('heading', { name: 'Catégories' })).toBeVisible()
    for (const sentence of helpOfScreens['/settings/categories']!.says) {
      expect(help.getByText(sentence)).toBeVisible()
    }
    const keys = within(help.getByRole('table', { name: 'Raccourcis du clavier' }))
    expect(keys.getByRole('row', { name: /Alt A.*Cette aide/ })).toBeVisible()
  })

  it('leads to the guide, and says off line that it waits for the network', async () => {
    await openApp(server, '/account')
    await userEvent.click(await screen.findByRole('button', { name: 'Aide' }))
    const help = within(await helpDialog())
    expect(help.getByRole('link', { name: /^Le guide/ })).toHaveAttribute('href', '/guide/index.html')
    // An answer still under way says that the server answers.
    await cutNetwork()
    await waitFor(() => {
      act(noteNoAnswer)
      expect(help.getByText('Le guide se lit avec le réseau.')).toBeVisible()
      expect(help.queryByRole('link', { name: /^Le guide/ })).toBeNull()
    })
    expect(help.getByRole('link', { name: 'Déclaration d’accessibilité' })).toHaveAttribute(
      'href',
      '/accessibility',
    )
    expect(help.getByText(helpOfScreens['/account']!.says[1]!)).toBeVisible()
    act(noteAnswer)
  })

  it('puts the guide before the keys where a finger is used, and after them where there is a keyboard', async () => {
    const order = async () => {
      const help = within(await helpDialog())
      const guide = help.getByRole('link', { name: /^Le guide/ })
      return guide.compareDocumentPosition(help.getByRole('table', { name: 'Raccourcis du clavier' }))
    }
    await openApp(server, '/account')
    await userEvent.click(await screen.findByRole('button', { name: 'Aide' }))
    expect(await order()).toBe(Node.DOCUMENT_POSITION_PRECEDING)
    await closeApp()
    const answer = window.matchMedia.bind(window)
    vi.stubGlobal('matchMedia', (media: string) =>
      media === '(pointer: coarse)'
        ? { matches: true, media, addEventListener: () => undefined, removeEventListener: () => undefined }
        : answer(media),
    )
    await openApp(server, '/account')
    await userEvent.click(await screen.findByRole('button', { name: 'Aide' }))
    expect(await order()).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('tells no key of lending to whoever may not lend', async () => {
    await openApp(server, '/account', { as: 'lecture' })
    await userEvent.click(await screen.findByRole('button', { name: 'Aide' }))
    const help = within(await helpDialog())
    expect(help.getByRole('heading', { name: 'Mon compte' })).toBeVisible()
    expect(help.queryByRole('row', { name: /Prêter/ })).toBeNull()
  })

  it('is opened by its button, closed by Escape or by going back, and gives the focus back', async () => {
    const page = await openApp(server, '/settings')
    await act(() => page.router.navigate('/account'))
    await screen.findByRole('heading', { name: 'Mon compte', level: 1 })
    const button = await screen.findByRole('button', { name: 'Aide' })
    await userEvent.click(button)
    await helpDialog()
    await userEvent.keyboard('{Escape}{Escape}')
    await noDialog()
    await waitFor(() => expect(page.address).toBe('/account'))
    await waitFor(() => expect(button).toHaveFocus())
    await userEvent.click(button)
    await helpDialog()
    await act(() => page.router.navigate(-1))
    await noDialog()
    await waitFor(() => expect(page.address).toBe('/account'))
  })

  it('says the library’s words, in the names of buttons too', async () => {
    const admin = await server.as('admin')
    const { body } = await admin.get('/api/translations?limit=100')
    const word = (body['hydra:member'] as { id: number; delivered: string }[]).find(
      ({ delivered }) => delivered === 'lecteur',
    )
    const answer = await admin.put(`/api/translations/${word?.id}`, { translation: 'adhérent', gender: 'm' })
    expect(answer.status).toBe(200)
    const network = networkTo(server)
    let sayWords = () => {}
    const listed = new Promise<void>((resolve) => {
      sayWords = resolve
    })
    await openApp(server, '/beneficiaries', {
      // The words come last.
      network: async (request) => {
        if (new URL(request.url).pathname === '/api/translations') await listed
        return network(request)
      },
    })
    await screen.findByRole('row', { name: /Dupont/ })
    sayWords()
    expect(await screen.findByRole('link', { name: 'Inscrire un adhérent' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Aide' }))
    expect(within(await helpDialog()).getByText(/«\sInscrire un adhérent\s»/)).toBeVisible()
  })
})
