import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type PresetCode, presetCodes, presets } from '../../src/domain/presets/presets.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { lineOf, openCounter, put } from './counter.ts'

// From nothing at all to the first loan, by what a new user reads on the screens. The seconds are the
// browser's and the server's: docs/measurements.md says what a person's hands add.

const password = 'Trois-tortues-jaunes-1987'

const organisations: Record<PresetCode, [name: string, site: string, title: string]> = {
  mediatheque: ['Médiathèque de Port-Louis', 'Centre', 'Germinal'],
  ludotheque: ['Ludothèque des Lilas', 'Maison du jeu', 'Les aventuriers du rail'],
  parc: ['Parc de la communauté de communes', 'Hangar', 'Perceuse à percussion'],
  comite: ['CSE des Ateliers', 'Bibliothèque', 'L’étranger'],
}

const timed: string[] = []

describe.each(presetCodes)('an empty install, from the preset %s', (code) => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeEach(async () => {
    server = await openRunningServer({ isNew: true, env: { ADMIN_PASSWORD: password, LOOKUP_SOURCES: '' } })
    device = await openDevice(server.address, { viewport: 'desktop' })
    page = device.page
  })
  afterEach(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })
  afterAll(() => process.stdout.write(`${timed.at(-1) ?? ''}\n`))

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const goOn = () => button('Continuer').click()
  const step = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor()

  it('comes to its first loan by the guided start', async () => {
    const [organisation, site, title] = organisations[code]
    const { media } = presets[code]
    const [medium] = media
    const began = performance.now()
    await signIn(page, 'admin', password)
    await openCounter(page)
    const left = page.getByRole('region', { name: 'Reste à faire' })
    await left.getByText('0 sur 10').waitFor()
    await left.getByRole('link', { name: 'Commencer' }).click()

    await step('Votre organisation')
    await field('Nom de l’organisation').fill(organisation)
    await field('Nom du premier site').fill(site)
    await goOn()

    await step('Partir d’un modèle')
    await page.getByRole('radio', { name: presets[code].title }).check({ force: true })
    await page.getByRole('checkbox', { name: media.at(-1)?.name ?? '' }).uncheck()
    await goOn()

    await step('Les codes-barres')
    await field('Code du site').fill('P')
    await page.getByText(/^Prochains codes\s: P0001, P0002, P0003…$/).waitFor()
    await goOn()

    await step('Qui travaille ici')
    await button('Plus tard').click()

    await step('Et maintenant, le premier prêt')
    await page.getByRole('link', { name: 'Scanner un livre' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('maxlength'))).toBe('40')
    await page.getByRole('textbox', { name: 'Titre', exact: true }).fill(title)
    await page.getByRole('combobox', { name: 'Support' }).click()
    await page.getByRole('option', { name: medium?.name ?? '', exact: true }).click()
    await button('Enregistrer').click()

    const copy = page.getByRole('dialog', { name: /^Ajouter un exemplaire/ })
    await copy.getByText(/ce sera P0001/).waitFor()
    await copy.getByRole('button', { name: 'Valider' }).click()
    await copy.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Accueil' }).first().click()
    await left.getByRole('link', { name: 'Inscrire un premier lecteur' }).click()
    await field('Nom').fill('Le Goff')
    await field('Prénom').fill('Maëlle')
    await field('Numéro de lecteur').fill('L1')
    await button('Enregistrer').click()
    await page.getByRole('heading', { name: 'Maëlle Le Goff' }).waitFor()

    await page.getByRole('link', { name: 'Accueil' }).first().click()
    await openCounter(page)
    await put(page, 'L1')
    await page
      .getByRole('heading', { name: /Maëlle Le Goff/ })
      .first()
      .waitFor()
    await put(page, 'P0001')
    if (medium?.loaning_conditions_enabled) {
      await lineOf(page, title).getByRole('button', { name: 'Conditions remises' }).click()
    }
    await lineOf(page, title)
      .getByRole('button', { name: /^Annuler/ })
      .waitFor()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    timed.push(`${presets[code].title} : du premier écran au premier prêt en ${seconds} s`)

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
})
