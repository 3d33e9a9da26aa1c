import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { sayAsKept, sayWith } from '../../src/client/page/say-with.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(async () => {
  await closeApp()
  sayWith([])
})

const saved = 'Vos modifications ont bien été prises en compte.'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  if (text) await userEvent.paste(text)
}
const change = async (word: string, here: string, gender?: string) => {
  await userEvent.click(await button(new RegExp(`^Changer\\s: ${word}$`)))
  const dialog = await inDialog(new RegExp(`^Changer «\\s${word}\\s»$`))
  await write(dialog.getByLabelText(/^Mot/), here)
  if (gender) {
    await userEvent.click(dialog.getByRole('combobox', { name: /^Genre/ }))
    await userEvent.click(await screen.findByRole('option', { name: gender }))
  }
  return dialog
}
const submit = (dialog: ReturnType<typeof within>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
const isSaved = (about: string) =>
  waitFor(() =>
    expect(
      screen.getAllByText(saved).some((one) => one.closest('[role="status"]')?.textContent?.includes(about)),
    ).toBe(true),
  )

describeServer('the words of the library', (server) => {
  beforeEach(() =>
    sql`update translations set translation = delivered, gender = case when code like 'reference%' then 'f' else 'm' end
      where code in ('beneficiary', 'beneficiaries', 'reference', 'references', 'medium')`.execute(server.db),
  )

  it('are changed one by one, and menus, titles, columns and buttons follow at once', async () => {
    const page = await openApp(server, '/settings/translations')
    await submit(await change('lecteur', 'Adhérent'))
    await isSaved('Adhérent')
    await submit(await change('lecteurs', 'adhérents'))
    expect(await screen.findByRole('link', { name: 'Adhérents' })).toBeVisible()
    await page.router.navigate('/loanings')
    // The table is drawn anew when its rows come.
    await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Adhérent' })).toBeVisible())
    await page.router.navigate('/settings/global')
    expect(
      await screen.findByText('Un adhérent peut réserver plusieurs fois la même référence.'),
    ).toBeVisible()
    await page.router.navigate('/start?step=doors')
    expect(await screen.findByText('Inscrire un premier adhérent')).toBeVisible()
    await page.router.navigate('/beneficiaries')
    expect(await screen.findByRole('heading', { level: 1, name: 'Adhérents' })).toBeVisible()
    expect(document.title).toBe('Adhérents · Comptoir')
    await userEvent.click((await screen.findAllByRole('link', { name: 'Inscrire un adhérent' }))[0]!)
    expect(await screen.findByRole('heading', { level: 1, name: 'Inscrire un adhérent' })).toBeVisible()
  })

  it('say what will be read, and take what goes before a word along', async () => {
    const page = await openApp(server, '/settings/translations?searchname|like=reference')
    const dialog = await change('référence', 'titre', 'Masculin')
    expect(dialog.getByText(/^On lira/)).toHaveTextContent('Ajouter un titre, aucun titre, du titre.')
    expect(dialog.getByText(/se change à part/)).toHaveTextContent(
      'Le pluriel, « références », se change à part.',
    )
    await submit(dialog)
    await isSaved('titre')
    await page.router.navigate('/references/add')
    expect(await screen.findByRole('heading', { level: 1, name: 'Ajouter un titre' })).toBeVisible()
  })

  it('are refused empty in the alert of the dialog', async () => {
    await openApp(server, '/settings/translations?searchname|like=support')
    const dialog = await change('support', '')
    await userEvent.paste('   ')
    await submit(dialog)
    expect(await dialog.findByRole('alert')).toHaveTextContent(/^Le champ «\sMot\s» ne doit pas être vide\.$/)
    expect(dialog.getByLabelText(/^Mot/)).toBeInvalid()
  })

  it('are put back in one press', async () => {
    await sql`update translations set translation = 'adhérents' where code = 'beneficiaries'`.execute(
      server.db,
    )
    await openApp(server, '/settings/translations')
    expect(await screen.findByRole('link', { name: 'Adhérents' })).toBeVisible()
    const back = /^Remettre le mot d’origine\s: /
    expect(await screen.findAllByRole('button', { name: back })).toHaveLength(1)
    await userEvent.click(await button(/^Remettre le mot d’origine\s: lecteurs$/))
    await isSaved('lecteurs')
    await waitFor(() => expect(screen.queryByRole('button', { name: back })).toBeNull())
    expect(await screen.findByRole('link', { name: 'Lecteurs' })).toBeVisible()
    expect(localStorage.getItem('house_words')).toBeNull()
  })

  it('are found by the word of the software and by the library’s', async () => {
    await sql`update translations set translation = 'adhérent' where code = 'beneficiary'`.execute(server.db)
    await openApp(server, '/settings/translations?searchname|like=adherent')
    expect(await screen.findByRole('row', { name: /^lecteur / })).toBeVisible()
    expect(screen.queryByRole('row', { name: /^support/ })).toBeNull()
  })

  it('are read after sign-in, and kept for a page that opens off line', async () => {
    await sql`update translations set translation = 'Adhérents' where code = 'beneficiaries'`.execute(
      server.db,
    )
    await openApp(server, '/home')
    expect(await screen.findByRole('link', { name: 'Adhérents' })).toBeVisible()
    const kept = localStorage.getItem('house_words') ?? ''
    await closeApp()
    expect(JSON.parse(kept)).toEqual([{ said: 'lecteurs', here: 'adhérents', gender: 'm' }])
    sayWith([])
    localStorage.setItem('house_words', kept)
    sayAsKept()
    await openApp(server, '/home', { network: () => Promise.reject(new TypeError('no network')) })
    expect(await screen.findByRole('link', { name: 'Adhérents' })).toBeVisible()
  })

  it('are no setting of whoever lacks the right', async () => {
    await openApp(server, '/settings/translations', { as: 'lecture' })
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
  })
})
