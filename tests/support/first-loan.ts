import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'

import { type PresetCode, presets } from '../../src/domain/presets/presets.ts'
import { apiOf } from './api-of.ts'
import { type Device, openDevice } from './browser.ts'
import { type ByHand, playByHand } from './played-by-hand.ts'
import { openRunningServer, type RunningServer } from './running-server.ts'
import { lineOf, openCounter, scanBox } from './counter.ts'

// From nothing at all to the first loan, by what a new user reads on the screens. What their eyes and hands
// take is counted, the machine's own seconds are said beside it: docs/measurements.md has both.

/** « Under five minutes » of hands and eyes; what the machine takes is no count, so it is said and not held. */
const mostByHand = 300

const password = 'Trois-tortues-jaunes-1987'

const organisations: Record<PresetCode, [name: string, site: string, title: string]> = {
  mediatheque: ['Médiathèque de Port-Louis', 'Centre', 'Germinal'],
  ludotheque: ['Ludothèque des Lilas', 'Maison du jeu', 'Les aventuriers du rail'],
  parc: ['Parc de la communauté de communes', 'Hangar', 'Perceuse à percussion'],
  comite: ['CSE des Ateliers', 'Bibliothèque', 'L’étranger'],
}

/** Registers its test, within a `describe` that says which preset it is. */
export function comesToFirstLoan(code: PresetCode): void {
  let timed = ''
  let server: RunningServer
  let device: Device
  let page: Page
  let person: ByHand
  beforeEach(async () => {
    server = await openRunningServer({ isNew: true, env: { ADMIN_PASSWORD: password, LOOKUP_SOURCES: '' } })
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    person = playByHand(page)
  })
  afterEach(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })
  afterAll(() => process.stdout.write(`${timed}\n`))

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const goOn = () => person.finish(button('Continuer'))
  const step = async (name: string) => {
    await page.getByRole('heading', { level: 2, name }).waitFor()
    await person.look()
  }
  const goHome = () => person.press(page.getByRole('link', { name: 'Accueil' }).first())

  it('comes to its first loan by the guided start', async () => {
    const [organisation, site, title] = organisations[code]
    const { media } = presets[code]
    const [medium] = media
    const began = performance.now()
    await page.goto('/login')
    await field('Nom d’utilisateur').waitFor()
    await person.look()
    await person.type(field('Nom d’utilisateur'), 'admin')
    await person.type(page.getByLabel('Mot de passe', { exact: true }), password)
    await person.finish(button('Se connecter'))
    await openCounter(page)
    const left = page.getByRole('region', { name: 'Reste à faire' })
    await left.getByText('0 sur 10').waitFor()
    await person.look()
    await person.press(left.getByRole('link', { name: 'Commencer' }))

    await step('Votre organisation')
    await person.type(field('Nom de l’organisation'), organisation)
    await person.type(field('Nom du premier site'), site)
    await goOn()

    await step('Partir d’un modèle')
    await person.press(page.getByText(presets[code].title, { exact: true }))
    await page.getByRole('checkbox', { name: media.at(-1)?.name ?? '' }).waitFor()
    await person.look()
    await person.press(page.getByRole('checkbox', { name: media.at(-1)?.name ?? '' }))
    await goOn()

    await step('Les codes-barres')
    await person.type(field('Code du site'), 'P')
    await page.getByText(/^Prochains codes\s: P0001, P0002, P0003…$/).waitFor()
    await goOn()

    await step('Qui travaille ici')
    await person.press(button('Plus tard'))

    await step('Et maintenant, le premier prêt')
    await person.press(page.getByRole('link', { name: 'Scanner une référence' }))
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('maxlength'))).toBe('40')
    await person.look()
    await person.type(page.getByRole('textbox', { name: 'Titre', exact: true }), title)
    await person.press(page.getByRole('combobox', { name: 'Support' }))
    const option = page.getByRole('option', { name: medium?.name ?? '', exact: true })
    await option.waitFor()
    await person.look()
    await person.finish(option)
    await person.finish(button('Enregistrer'))

    const copy = page.getByRole('dialog', { name: /^Ajouter un exemplaire/ })
    await copy.getByText(/ce sera P0001/).waitFor()
    await person.look()
    await person.finish(copy.getByRole('button', { name: 'Valider' }))
    await copy.waitFor({ state: 'detached' })
    await person.look()

    await goHome()
    await person.look()
    await person.press(left.getByRole('link', { name: 'Inscrire un premier lecteur' }))
    await field('Nom').waitFor()
    await person.look()
    await person.type(field('Nom'), 'Le Goff')
    await person.type(field('Prénom'), 'Maëlle')
    await person.type(field('Numéro de lecteur'), 'L1')
    await person.finish(button('Enregistrer'))
    await page.getByRole('heading', { name: 'Maëlle Le Goff' }).waitFor()
    await person.look()

    await goHome()
    await openCounter(page)
    await person.type(scanBox(page), 'L1')
    await person.enter()
    await page
      .getByRole('heading', { name: /Maëlle Le Goff/ })
      .first()
      .waitFor()
    await person.look()
    await person.type(scanBox(page), 'P0001')
    await person.enter()
    if (medium?.loaning_conditions_enabled) {
      await person.press(lineOf(page, title).getByRole('button', { name: 'Conditions remises' }))
    }
    await lineOf(page, title)
      .getByRole('button', { name: /^Annuler/ })
      .waitFor()
    await person.look()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const { keys, clicks, words, seconds: byHand, withMenus } = person.counted()
    timed = `${presets[code].title} : ${keys} touches, ${clicks} clics et ${words} mots, soit ${byHand.toFixed(0)} s (${withMenus.toFixed(0)} s avec les menus), et ${seconds} s de machine`
    expect(byHand).toBeLessThan(mostByHand)

    const api = await apiOf(server.address, 'admin', password)
    await expect.poll(() => api.lent()).toEqual(['P0001'])
    const start = (await api.get('/api/start')).body
    expect(start.steps).toMatchObject({
      organisation: 'done',
      preset: 'done',
      numbering: 'done',
      users: 'later',
    })
    expect(start.tasks).toMatchObject({ users: false, loan: true })
    const names = (await api.get('/api/media?limit=100')).body['hydra:member'].map(
      ({ name }: { name: string }) => name,
    )
    expect(names.toSorted()).toEqual(
      media
        .slice(0, -1)
        .map(({ name }) => name)
        .toSorted(),
    )
  })
}
