import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import { chooseSite } from '../../src/client/api/session.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { deviceKnows } from '../support/device-knows.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, networkTo, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

describeServer('« Rendre »', (server) => {
  it('takes back with one scan a copy of another site, and says where it goes', async () => {
    await setParameter(server, 'multisite', '1')
    const centre = await server.as('biblio')
    expect((await centre.post('/api/loanings', { beneficiary: 1, copy: 1 }, { site: 1 })).status).toBe(201)
    const page = await openCounter('/loaning/return', server)
    chooseSite({ id: 2, name: 'Annexe' })
    await screen.findByRole('heading', { name: 'Rendre' })
    await deviceKnows()
    page.scan('1001')
    const loans = within(await screen.findByRole('region', { name: 'Prêts à rendre' }))
    expect(await loans.findByRole('checkbox', { name: /^Livre numéro 1.*Alice Martin/ })).toBeChecked()
    await press('Enregistrer le retour')
    expect(await screen.findByText('À renvoyer à Centre.')).toBeVisible()
    expect(await screen.findByRole('button', { name: /^Renvoyer à Centre/ })).toBeVisible()
    await setParameter(server, 'multisite', '0')
  })

  it('offers no second time a return that waits for the server', async () => {
    await (await server.as('biblio')).post('/api/loanings', { beneficiary: 1, copy: 2 })
    const network = networkTo(server)
    const page = await openCounter('/loaning/return', server, 'biblio', (request) =>
      request.method === 'POST' && request.url.endsWith('/api/loanings/return')
        ? new Promise<Response>(() => undefined)
        : network(request),
    )
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('1002')
    await press('Enregistrer le retour')
    await screen.findByRole('region', { name: 'Retours enregistrés' })
    page.scan('1002')
    const refused = within(await screen.findByRole('region', { name: 'Non rendus' }))
    expect(await refused.findByText(/^Pas en prêt/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Enregistrer le retour' })).toBeNull()
  })
})
