import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'

import { presets } from '../../src/domain/presets/presets.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { unseed } from '../support/unseed.ts'

afterEach(closeApp)

const step = (name: RegExp) => screen.findByRole('heading', { level: 2, name })
const write = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name: label }), { target: { value } })

describeServer('the guided start', (server) => {
  beforeEach(() => unseed(server.db))

  it('saves each step, and is taken up again where it was left', async () => {
    const page = await openApp(server, '/start')
    await step(/^Votre organisation$/)
    await press('Continuer')
    expect(await screen.findByText('Le nom de l’organisation ne doit pas être vide.')).toBeVisible()
    await write(/^Nom de l’organisation/, 'Médiathèque de Sète')
    await write(/^Nom du premier site/, 'Centre')
    await press('Continuer')
    await step(/^Partir d’un modèle$/)
    const { body: site } = await page.client.get('/api/sites/1')
    expect(site.name).toBe('Centre')
    await press('Plus tard')
    await step(/^Les codes-barres$/)
    await closeApp()

    const again = await openApp(server, '/start')
    await step(/^Les codes-barres$/)
    expect(screen.getByRole('button', { name: /Organisation\s?, fait$/ })).toBeVisible()
    expect(screen.getByRole('button', { name: /Modèle\s?, remis à plus tard$/ })).toBeVisible()
    await write(/^Code du site/, 'C')
    expect(await screen.findByText(/^Prochains codes\s: C0001, C0002, C0003…$/)).toBeVisible()
    await press('Continuer')
    await step(/^Qui travaille ici/)
    await press('Continuer')
    await step(/^Et maintenant, le premier prêt$/)
    expect(screen.getByRole('link', { name: /^jours d’ouverture/ })).toHaveAttribute(
      'href',
      '/settings/closures',
    )
    // Nobody was added, and nothing was lent.
    expect(screen.getByRole('button', { name: /Utilisateurs\s?, remis à plus tard$/ })).toBeVisible()
    expect(screen.getByRole('button', { name: /^\d?\s?Premier prêt$/ })).toBeVisible()
    const { tasks } = (await again.client.get('/api/start')).body
    expect([tasks.users, tasks.loan]).toEqual([false, false])
    expect(screen.getByRole('link', { name: 'Scanner une référence' })).toHaveAttribute(
      'href',
      '/references/add?code=',
    )
    await press(/Modèle\s?, remis à plus tard$/)
    await step(/^Partir d’un modèle$/)
  })

  it('shows what a preset lays down, lays it down as it was edited, and shows it as laid down from then on', async () => {
    const page = await openApp(server, '/start?step=preset')
    await step(/^Partir d’un modèle$/)
    await press('Continuer')
    expect(await screen.findByText('Choisissez un modèle, ou continuez plus tard.')).toBeVisible()
    await userEvent.click(screen.getByRole('radio', { name: /^Ludothèque/ }))
    expect(
      await screen.findByText(/^3 semaines · 3 au plus · 1,00\s€ par semaine de retard · avec conditions$/),
    ).toBeVisible()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Jouet' }))
    await userEvent.click(screen.getByRole('button', { name: /^Retoucher\s: Jeu de société$/ }))
    await write(/^Nom/, '')
    await press('Continuer')
    expect(await screen.findByText(/ne doit pas être vide/)).toBeVisible()
    expect(screen.getByRole('textbox', { name: /^Nom/ })).toHaveAccessibleDescription(
      'Donnez un nom à ce support, ou décochez-le.',
    )
    await write(/^Nom/, 'Jeu de plateau')
    await write(/^Durée du prêt/, '2')
    await press('Continuer')
    await screen.findByText('Modèle posé.')
    const { body } = await page.client.get('/api/media?limit=100')
    const names = body['hydra:member'].map(({ name }: { name: string }) => name)
    expect(names).toHaveLength(presets.ludotheque.media.length - 1)
    expect(names).not.toContain('Jouet')
    expect(body['hydra:member']).toContainEqual(
      expect.objectContaining({ name: 'Jeu de plateau', duration: 2, duration_type: 'WEEK' }),
    )
    await step(/^Votre organisation$/)
    await press(/Modèle\s?, fait$/)
    expect(await screen.findByText(/^Le modèle «\sLudothèque\s» est posé/)).toBeVisible()
    expect(screen.getByRole('radio', { name: /^Ludothèque Posé/ })).not.toBeChecked()
    expect(screen.getByRole('radio', { name: /^Médiathèque/ })).not.toHaveAccessibleName(/Posé/)
    await press('Continuer')
    await waitFor(() => expect(screen.queryByText(/est posé\. Choisi/)).toBeNull())
  })

  it('leads back from each step but the first, and asks before it leaves what is written', async () => {
    const page = await openApp(server, '/start')
    await step(/^Votre organisation$/)
    expect(screen.queryByRole('link', { name: 'Précédent' })).toBeNull()
    await write(/^Nom de l’organisation/, 'Médiathèque de Sète')
    await press(/^\d?\s?Codes-barres$/)
    const question = await screen.findByRole('dialog', { name: /Quitter sans enregistrer/ })
    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    expect(await screen.findByRole('textbox', { name: /^Nom de l’organisation/ })).toHaveValue(
      'Médiathèque de Sète',
    )
    await write(/^Nom du premier site/, 'Centre')
    await press('Continuer')
    await step(/^Partir d’un modèle$/)
    await press('Plus tard')
    await step(/^Les codes-barres$/)
    await act(() => page.router.navigate(-1))
    await step(/^Partir d’un modèle$/)
    await act(() => page.router.navigate(-1))
    await step(/^Votre organisation$/)
    await waitFor(() => expect(page.address).toBe('/start?step=organisation'))
    await act(() => page.router.navigate(1))
    await step(/^Partir d’un modèle$/)
    await userEvent.click(screen.getByRole('link', { name: 'Précédent' }))
    await step(/^Votre organisation$/)
  })

  it('adds people one after the other, and goes on without any', async () => {
    const page = await openApp(server, '/start?step=users')
    await step(/^Qui travaille ici/)
    // Who is added without a password waits for a mail.
    expect(await screen.findByText('Le courrier n’est pas branché')).toBeVisible()
    const field = (label: RegExp) => screen.getByRole('textbox', { name: label })
    const paste = async (label: RegExp, text: string) => {
      await userEvent.click(field(label))
      await userEvent.paste(text)
    }
    await paste(/^Prénom/, 'Anne-Cécile')
    await paste(/^Nom$/, 'Le Goff')
    await userEvent.click(field(/^Nom d’utilisateur/))
    await waitFor(() => expect(field(/^Nom d’utilisateur/)).toHaveValue('anne-cecile.le-goff'))
    await write(/^Nom d’utilisateur/, 'anne')
    await paste(/^Prénom/, '-Lise')
    await userEvent.click(field(/^Nom d’utilisateur/))
    expect(field(/^Nom d’utilisateur/)).toHaveValue('anne')
    await press('Continuer')
    expect(await screen.findByText('Le champ « Profil » est obligatoire.')).toBeVisible()
    await userEvent.click(screen.getByRole('combobox', { name: /^Profil/ }))
    expect(await screen.findByRole('option', { name: 'Consultation' })).toHaveTextContent(
      'Ne prête ni ne rend au comptoir.',
    )
    expect(screen.getByRole('option', { name: 'Bibliothécaire' })).toHaveTextContent(
      'Scanne les prêts et les retours au comptoir. Tient les lecteurs et le catalogue.',
    )
    await userEvent.click(await screen.findByRole('option', { name: 'Bénévole' }))
    expect(screen.getByRole('combobox', { name: /^Profil/ })).toHaveAccessibleDescription(
      'Scanne les prêts et les retours au comptoir.',
    )
    fireEvent.change(screen.getByLabelText(/^Mot de passe/, { selector: 'input' }), {
      target: { value: 'Une-longue-phrase-7' },
    })
    await press('Ajouter, puis une autre personne')
    // The form begins anew, and the list with it.
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Nom d’utilisateur/ })).toHaveValue(''))
    await waitFor(() =>
      expect(screen.getByRole('list', { name: 'Comptes' })).toHaveTextContent('Anne-Cécile-Lise Le Goff'),
    )
    await press('Continuer')
    await step(/^Votre organisation$/)
    expect((await page.client.get('/api/start')).body.tasks.users).toBe(true)
  })

  it('leaves to others what the profile does not open: it is put off, not done', async () => {
    const held = await server.db
      .deleteFrom('profile_rights')
      .where('right_code', 'in', ['PARAMETER_SITE', 'USER_EDIT'])
      .returningAll()
      .execute()
    onTestFinished(async () => {
      await server.db.insertInto('profile_rights').values(held).execute()
    })
    const page = await openApp(server, '/start?step=numbering')
    expect(await screen.findByText(/laissez cette étape à qui le peut/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Continuer' })).toBeNull()
    await press('Plus tard')
    await waitFor(() => expect(page.address).not.toContain('numbering'))
    await act(() => page.router.navigate('/start?step=users'))
    expect(await screen.findByText(/pas ajouter de comptes/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Continuer' })).toBeNull()
    const { numbering, users } = (await page.client.get('/api/start')).body.tasks
    expect([numbering, users]).toEqual([false, false])
  })

  it('begins each step at its first field where a keyboard is, and ends with the first loan', async () => {
    const { matches } = matchMedia('(pointer: fine)')
    const page = await openApp(server, '/start')
    await step(/^Votre organisation$/)
    if (matches) expect(screen.getByRole('textbox', { name: /^Nom de l’organisation/ })).toHaveFocus()
    const { client } = page
    const medium = (await client.post('/api/media', { name: 'Livre' })).body.id
    const reference = (await client.post('/api/references', { name: 'Germinal', medium })).body.id
    const copy = (await client.post('/api/copies', { reference, site: 1, bar_code: 'S001' })).body.id
    const reader = (await client.post('/api/beneficiaries', { lastname: 'Martin', firstname: 'Anne' })).body
    const lent = { beneficiary: reader.id, copy, duration_value: 1, duration_type: 'DAY' }
    expect((await client.post('/api/loanings', lent)).status).toBe(201)
    await closeApp()
    await openApp(server, '/start?step=doors')
    await step(/^Et maintenant, au comptoir$/)
    expect(screen.getByRole('button', { name: /Premier prêt\s?, fait$/ })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Aller à l’accueil' })).toHaveAttribute('href', '/home')
  })

  it('lays the sample down and takes it away', async () => {
    await openApp(server, '/start?step=doors')
    expect(await screen.findByRole('link', { name: 'Choisir un fichier' })).toHaveAttribute(
      'href',
      '/imports/add',
    )
    await press('Poser l’exemple')
    expect(await screen.findByText(/40 titres, 54 exemplaires et 20 lecteurs/)).toBeVisible()
    await press('Retirer l’exemple')
    const question = within(await screen.findByRole('dialog', { name: /^Retirer l’exemple/ }))
    await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByRole('button', { name: 'Poser l’exemple' })).toBeVisible()
  })

  it('is led to from home, for who may, until it is put away', async () => {
    const page = await openApp(server, '/home')
    const card = within(await screen.findByRole('region', { name: 'Reste à faire' }))
    expect(card.getByText('0 sur 10')).toBeVisible()
    expect(card.getByRole('link', { name: 'Commencer' })).toHaveAttribute('href', '/start')
    await userEvent.click(card.getByRole('button', { name: 'Ne plus afficher' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Reste à faire' })).toBeNull())
    expect((await page.client.get('/api/start')).body.dismissed).toBe(true)
  })
})
