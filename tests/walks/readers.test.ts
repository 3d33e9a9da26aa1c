import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Collection, membersOf } from '../../src/contract/list.ts'
import { plusDays } from '../../src/domain/calendar-day.ts'
import type { Api } from '../support/api-of.ts'
import { pressAfterScan, typeAsScanner, viewports } from '../support/browser.ts'
import { openCounter } from '../support/counter.ts'
import { type Desk, openDesk } from '../support/desk.ts'

// Inscribes a family in a library of four readers: names, card, loan, and the day they leave.

const card = '2999990001234'
const freshCopy = '31555510009999'

describe('a reader’s life at the library', () => {
  let api: Api
  let desk: Desk
  let page: Page

  beforeAll(async () => {
    desk = await openDesk({
      prepare: async (db) => {
        await sql`insert into copies (reference, bar_code, site) values (1, ${freshCopy}, 1)`.execute(db)
      },
    })
    ;({ api, page } = desk)
  })
  afterAll(async () => desk?.leave())
  const listed = async <Row>(path: string) => membersOf((await api.get(path)).body as Collection<Row>)
  const idOfReader = async () => (await listed<{ id: number }>(`/api/beneficiaries?reader_id=${card}`))[0]?.id
  const readerId = () => Number(/view\/(\d+)/.exec(page.url())?.[1])
  const told = async () => (await api.get(`/api/beneficiaries/${readerId()}`)).body

  it('begins with a form that knows namesakes, and a card that is scanned', async () => {
    await page.getByRole('link', { name: 'Lecteurs' }).first().click()
    await page.getByRole('link', { name: 'Inscrire un lecteur' }).click()
    await page.getByRole('textbox', { name: 'Nom', exact: true }).fill('Dupont')
    await page.getByRole('textbox', { name: 'Prénom' }).fill('Eric')
    await page.getByText('Déjà inscrit').waitFor()
    const twin = page.getByRole('link', { name: 'Éric Dupont' })
    expect(await twin.getAttribute('href')).toBe('/beneficiaries/view/2')
    await page.getByRole('textbox', { name: 'Prénom' }).fill('Nour')
    await twin.waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Année de naissance' }).fill('1988')
    await page.getByRole('textbox', { name: 'Numéro de lecteur' }).focus()
    await typeAsScanner(page, card)
    await expect.poll(() => page.getByRole('textbox', { name: 'Numéro de lecteur' }).inputValue()).toBe(card)
    expect(page.url()).toContain('/beneficiaries/add')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Lecteur inscrit.').waitFor()
    await page.getByRole('heading', { name: 'Nour Dupont' }).waitFor()
    expect(await told()).toMatchObject({ reader_id: card, birth_year: 1988, matricule: '1' })
  })

  it('goes on with two relatives', async () => {
    await page.getByRole('tab', { name: 'Proches' }).click()
    await page.getByRole('button', { name: 'Ajouter un proche' }).click()
    const dialog = page.getByRole('dialog', { name: 'Proches de Nour Dupont' })
    for (const name of ['Sami', 'Lou']) {
      await dialog.getByRole('textbox', { name: 'Prénom' }).fill(name)
      await dialog.getByRole('button', { name: 'Ajouter' }).click()
      await dialog.getByRole('textbox', { name: `${name} Dupont` }).waitFor()
    }
    const lou = dialog.getByRole('textbox', { name: 'Lou Dupont' })
    await lou.focus()
    await typeAsScanner(page, `${card}5`)
    await expect.poll(() => lou.inputValue()).toBe(`${card}5`)
    // An Enter close behind a scan is the scanner's.
    await pressAfterScan(page, 'Enter')
    await page.getByText('Numéro de lecteur enregistré avec succès.').waitFor()
    await dialog.getByRole('button', { name: 'Terminer' }).click()
    const { relatives } = await told()
    expect(
      relatives.map(({ text, reader_id }: { text: string; reader_id: string | null }) => [text, reader_id]),
    ).toEqual([
      ['Lou Dupont', `${card}5`],
      ['Sami Dupont', null],
    ])
  })

  it('opens by the card from any screen, and borrows', async () => {
    await page.goto('/loanings')
    await page.getByText('Aucun prêt').first().waitFor()
    await typeAsScanner(page, card)
    await page.getByRole('heading', { name: 'Nour Dupont' }).waitFor()
    await page.getByRole('button', { name: 'Prêter', exact: true }).first().click()
    await page.getByRole('button', { name: 'Changer de lecteur' }).waitFor()
    await typeAsScanner(page, freshCopy)
    await page.getByText('1 exemplaire', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Enregistrer et quitter' }).click()
    await expect.poll(() => api.lent()).toEqual([freshCopy])
  })

  it('shows the card’s number and the day a loan is late whole, beside a list and at the counter', async () => {
    const id = await idOfReader()
    const [loan] = await listed<{ id: number; start_date: string }>(
      `/api/loanings?filters[beneficiary|eq]=${id}`,
    )
    if (!loan) throw new Error('nothing is lent')
    const start_date = plusDays(loan.start_date, -28)
    expect((await api.put(`/api/loanings/${loan.id}`, { start_date, duration_value: 1 })).status).toBe(200)
    await page.goto(`/beneficiaries/view/${id}`)
    await page.getByText('1 prêt, 1 en retard').waitFor()
    const numbers = page.getByTitle(new RegExp(`· ${card}`))
    expect(await numbers.evaluate((of) => of.scrollWidth - of.clientWidth)).toBe(0)

    await page.goto('/home')
    await openCounter(page)
    await typeAsScanner(page, card)
    const late = page.getByText(/^En retard depuis le /)
    await late.waitFor()
    const beside = page.getByRole('button', { name: /^Prolonger\s: / })
    const [tag, button] = await Promise.all([late.boundingBox(), beside.boundingBox()])
    expect(tag!.x + tag!.width).toBeLessThanOrEqual(button!.x)
  })

  it('begins on a phone with one row of acts and what is late, in sight without scrolling', async () => {
    const id = await idOfReader()
    await page.setViewportSize(viewports.phone)
    await page.goto(`/beneficiaries/view/${id}`)
    const loans = page.getByRole('region', { name: 'Prêts en cours' })
    await loans.getByText(/^En retard de/).waitFor()
    const places = await Promise.all(
      [
        page.getByRole('button', { name: 'Prêter', exact: true }),
        page.getByRole('button', { name: 'Modifier', exact: true }),
        loans.getByRole('button', { name: /^Rendre\s: / }),
        page.getByRole('navigation', { name: 'Places' }),
      ].map((one) => one.boundingBox()),
    )
    const [lend, edit, giveBack, bar] = places
    expect(edit!.y).toBe(lend!.y)
    expect(giveBack!.y + giveBack!.height).toBeLessThan(bar!.y)
    await page.setViewportSize(viewports.desktop)
  })

  it('ends on a day, after what is still out is said, and the journal tells it all', async () => {
    const id = await idOfReader()
    await page.goto(`/beneficiaries/view/${id}`)
    await page.getByRole('button', { name: 'Autres actions' }).click()
    await page.getByRole('menuitem', { name: 'Mettre fin à l’inscription' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mettre fin à l’inscription' })
    await dialog.getByText('1 prêt reste à rendre').waitFor()
    await dialog.getByRole('button', { name: 'Valider' }).click()
    await page.getByText(/^Sorti le/).waitFor()
    expect((await told()).is_active).toBe(false)
    await page.getByRole('tab', { name: 'Journal' }).click()
    await page.getByText('Inscription', { exact: true }).first().waitFor()
    await page.getByText(/Ajout d’un proche\s: Sami Dupont/).waitFor()
    await page.getByRole('tabpanel', { name: 'Journal' }).getByText('Date de sortie').waitFor()
  })
})
