import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { setParameter } from './set-parameter.ts'

afterEach(closeApp)

const saved = 'Vos modifications ont bien été prises en compte.'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

describeServer('the screen of sites', (server) => {
  it('adds one, with the next codes under its numbering as it is typed', async () => {
    const page = await openApp(server, '/settings/sites')
    await userEvent.click(await button('Ajouter un site'))
    const dialog = await inDialog('Ajouter un site')
    const submit = () => userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    await submit()
    expect(await dialog.findByRole('alert')).toHaveTextContent('Le champ « Nom » est obligatoire.')
    expect(await dialog.findByText(/^Prochains codes\s: 0001, 0002, 0003…$/)).toBeVisible()
    await write(dialog.getByLabelText(/^Code du site/), 'NORD-')
    await write(dialog.getByLabelText(/^Premier numéro/), '099')
    expect(await dialog.findByText(/^Prochains codes\s: NORD-099, NORD-100, NORD-101…$/)).toBeVisible()

    await write(dialog.getByLabelText(/^Premier numéro/), 'cent')
    await write(dialog.getByLabelText(/^Nom/), 'annexe')
    await submit()
    expect(await dialog.findByRole('alert')).toHaveTextContent(/12 chiffres au plus/)
    expect(dialog.getByLabelText(/^Premier numéro/)).toHaveFocus()
    await write(dialog.getByLabelText(/^Premier numéro/), '099')
    await submit()
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Un site porte déjà ce nom.'))
    await write(dialog.getByLabelText(/^Nom/), 'Nord')
    await submit()
    expect((await screen.findByText(saved)).closest('[role="status"]')).toHaveTextContent('Nord')
    expect(await screen.findByRole('row', { name: /^Nord NORD- Aucun/ })).toBeVisible()
    const { body } = await page.client.get('/api/sites?name=nord')
    expect(body['hydra:member']).toMatchObject([
      { bar_codes_configuration: { siteCode: 'NORD-', firstValue: '099' }, gestit_id: null },
    ])
  })

  it('offers to switch « Plusieurs sites » on before the form, and opens none without it', async () => {
    await setParameter(server, 'multisite', '0')
    const page = await openApp(server, '/settings/sites')
    const question = () => inDialog(/^Activer «\sPlusieurs sites\s»\s\?$/)
    const answer = async (word: string) =>
      userEvent.click((await question()).getByRole('button', { name: word }))
    const isOn = async () =>
      (await page.client.get('/api/parameters?limit=100')).body['hydra:member'].find(
        ({ code }: { code: string }) => code === 'multisite',
      ).value
    await screen.findByRole('row', { name: /^Centre/ })
    await userEvent.click(await button('Ajouter un site'))
    await answer('Annuler')
    expect(screen.queryByRole('dialog', { name: 'Ajouter un site' })).toBeNull()
    expect(await isOn()).toBe('0')
    await userEvent.click(await button('Ajouter un site'))
    await answer('Valider')
    await inDialog('Ajouter un site')
    expect(await isOn()).toBe('1')
  })

  it('asks before one goes out of service, and says why the last one stays', async () => {
    await openApp(server, '/settings/sites')
    const stateOf = (name: string) =>
      screen.findByRole('switch', { name: new RegExp(`^Activé\\s: ${name}$`) })
    const putOut = async (name: string) => {
      await userEvent.click(await stateOf(name))
      const question = await inDialog(new RegExp(`^Mettre «\\s${name}\\s» hors service\\s\\?$`))
      await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    }
    for (const name of ['Annexe', 'Nord']) {
      await putOut(name)
      await waitFor(async () => expect(await stateOf(name)).not.toBeChecked())
    }
    await putOut('Centre')
    expect(await screen.findByText(/^C’est le seul site en service\s: il en faut un\.$/)).toBeVisible()
    expect(await stateOf('Centre')).toBeChecked()
  })
})
