import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const saveButton = () => screen.findByRole('button', { name: 'Enregistrer' })
const flag = (label: string) => screen.findByRole('switch', { name: new RegExp(`^${label}`) })
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

describeServer('the screen of global parameters', (server) => {
  it('saves together what was touched, and says so', async () => {
    const page = await openApp(server, '/settings/global')
    const several = await flag('Plusieurs réservations par lecteur')
    expect(several).not.toBeChecked()
    expect(screen.getByText('Un lecteur peut réserver plusieurs fois la même référence.')).toBeVisible()
    await userEvent.click(several)
    await write(screen.getByLabelText(/^Nom de l’organisation/), 'Médiathèque de Foix')
    await write(screen.getByLabelText(/^Jours de grâce/), '2')
    expect(screen.getByText('3 modifications')).toBeVisible()
    await userEvent.click(await saveButton())
    expect(await screen.findByText('Paramètres enregistrés avec succès.')).toBeVisible()
    expect(await screen.findByText('Aucune modification')).toBeVisible()
    expect(await flag('Plusieurs réservations par lecteur')).toBeChecked()
    const codes = 'multiple_reservations,work_council,delay_days_number_before_penalize'
    const { body } = await page.client.get(`/api/parameters?filters[code|in]=${codes}`)
    expect(body['hydra:member'].map(({ value }: { value: string }) => value)).toEqual([
      '2',
      '1',
      'Médiathèque de Foix',
    ])
  })

  it('says at its field what is no value, and what the server refused', async () => {
    await openApp(server, '/settings/global')
    const zone = await screen.findByLabelText(/^Fuseau horaire/)
    await write(zone, 'Europe/Pariss')
    await userEvent.click(await saveButton())
    const fault = 'Ce fuseau horaire n’existe pas\u202f: écrivez-le comme Europe/Paris.'
    await waitFor(() => expect(zone).toHaveFocus())
    expect(zone).toHaveAccessibleDescription(expect.stringContaining(fault))
    await write(zone, 'Europe/Paris')
    const multisite = await flag('Plusieurs sites')
    await userEvent.click(multisite)
    await userEvent.click(await saveButton())
    const told = await screen.findByText("Une erreur est survenue lors de l'enregistrement des paramètres.")
    expect(told.closest('[role="alert"]')).toHaveTextContent('Plusieurs sites sont en service')
    expect(multisite).toHaveFocus()
  })

  it('has each section at one press, which loses nothing that was written, and marks where something is wrong', async () => {
    const page = await openApp(server, '/settings/global')
    const contents = within(await screen.findByRole('navigation', { name: 'Sections' }))
    expect(contents.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(
      screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent),
    )
    await write(await screen.findByLabelText(/^Fuseau horaire/), 'Europe/Pariss')
    await userEvent.click(contents.getByRole('link', { name: 'Réservations' }))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Réservations' })).toHaveFocus())
    expect(page.router.state.location.hash).toBe('#reservations')
    expect(screen.getByText('1 modification')).toBeVisible()
    await userEvent.click(await saveButton())
    expect(await contents.findByRole('link', { name: /^Bibliothèque.*à corriger$/ })).toBeVisible()
    expect(contents.getAllByRole('link', { name: /corriger/ })).toHaveLength(1)
  })

  it('leads to where an account is given the address that a trial mail needs', async () => {
    await server.db.updateTable('users').set({ email: null }).where('username', '=', 'admin').execute()
    await openApp(server, '/settings/global')
    expect(await screen.findByRole('button', { name: 'Courriel d’essai' })).toBeDisabled()
    const told = screen.getByText(/^Donnez d’abord une adresse à votre compte/)
    expect(within(told).getByRole('link', { name: 'Utilisateurs' })).toHaveAttribute('href', '/users')
  })

  it('asks before the recap leaves', async () => {
    const page = await openApp(server, '/settings/global')
    await userEvent.click(await flag('Courriel récapitulatif'))
    await userEvent.click(await saveButton())
    const question = within(await screen.findByRole('dialog', { name: 'Envoyer le récapitulatif' }))
    await userEvent.click(question.getByRole('button', { name: 'Annuler' }))
    expect(await screen.findByText('1 modification')).toBeVisible()
    expect((await page.client.get('/api/jobs')).body['hydra:totalItems']).toBe(0)
  })
})
