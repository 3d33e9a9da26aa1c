import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const saved = 'Vos modifications ont bien été prises en compte.'
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
const choose = async (dialog: ReturnType<typeof within>, field: string | RegExp, option: string) => {
  await userEvent.click(dialog.getByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

describeServer('the screen of media', (server) => {
  const medium = async (id: number) => {
    const lecture = await server.as('lecture')
    return (await lecture.get(`/api/media?id=${id}`)).body['hydra:member'][0]
  }

  it('adds one with its rules, and says what is wrong first above the fields', async () => {
    await openApp(server, '/settings/supports')
    expect(await screen.findByRole('row', { name: /^Livre LIV 3 semaines 10/ })).toBeVisible()
    await userEvent.click(await button('Ajouter un support'))
    const dialog = await inDialog('Ajouter un support')
    const submit = () => userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    await submit()
    expect(await dialog.findByRole('alert')).toHaveTextContent('Le champ « Nom » est obligatoire.')
    expect(dialog.getByLabelText(/^Nom/)).toHaveFocus()

    await write(dialog.getByLabelText(/^Nom/), 'Outillage')
    await userEvent.click(dialog.getByLabelText('Ce support a des conditions de prêt'))
    await submit()
    const missing = 'Donnez un libellé aux conditions de prêt.'
    expect(await dialog.findByRole('alert')).toHaveTextContent(missing)
    expect(dialog.getByLabelText('Libellé des conditions')).toHaveAccessibleDescription(missing)
    await write(dialog.getByLabelText('Libellé des conditions'), 'Chèque de caution')

    await write(dialog.getByLabelText('Code'), 'dvd')
    await write(dialog.getByLabelText('Durée du prêt'), '2')
    await choose(dialog, 'Unité', 'Cycle(s)')
    await choose(dialog, 'Jour de retour', 'dimanche')
    await userEvent.click(dialog.getByLabelText('Compter une pénalité de retard'))
    await write(dialog.getByLabelText(/^Montant/), '1,5')
    await choose(dialog, /^Pour chaque/, 'Semaine de retard commencée')
    await write(dialog.getByLabelText(/^Code analytique\s: Annexe$/), 'OUT-2')
    await submit()
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Un support porte déjà ce code.'))
    await write(dialog.getByLabelText('Code'), 'OUT')
    await submit()
    expect((await screen.findByText(saved)).closest('[role="status"]')).toHaveTextContent('Outillage')
    expect(await screen.findByRole('row', { name: /^Outillage OUT 2 cycles 0/ })).toBeVisible()
    const { rows } = await sql<{ id: number }>`select id from media where name = 'Outillage'`.execute(
      server.db,
    )
    expect(await medium(rows[0]!.id)).toMatchObject({
      duration: 2,
      duration_type: 'CYCLE',
      end_day: 7,
      penalty_enabled: true,
      penalty_amount: '1.50',
      penalty_duration_type: 'WEEK',
      loaning_conditions_label: 'Chèque de caution',
      analytic: [{ site: 2, analytic: 'OUT-2' }],
    })
  })

  it('sends only what changed, and no amount for a penalty that is off', async () => {
    await openApp(server, '/settings/supports')
    await userEvent.click(await button(/^Modifier\s: Livre$/))
    const dialog = await inDialog('Modifier le support')
    expect(dialog.getByLabelText(/^Montant/)).toHaveValue('0,50')
    await server.db.updateTable('media').set({ max_loaning: 7 }).where('id', '=', 1).execute()
    await userEvent.click(dialog.getByLabelText('Compter une pénalité de retard'))
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    await screen.findByText(saved)
    expect(await medium(1)).toMatchObject({ penalty_enabled: false, penalty_amount: null, max_loaning: 7 })
  })

  it('keeps what serves, and gives its references another one', async () => {
    await openApp(server, '/settings/supports')
    await userEvent.click(await button(/^Actions\s: DVD$/))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await inDialog(/^Supprimer le support «\sDVD\s»\s\?$/)
    await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    const offer = await inDialog(/^«\sDVD\s» sert encore$/)
    expect(offer.getByText(/^5 références sont de ce support/)).toBeVisible()
    await choose(offer, 'Que faire', 'Donner un autre support à ses références, puis le supprimer')
    await userEvent.click(offer.getByRole('button', { name: 'Valider' }))
    expect(await offer.findByRole('alert')).toHaveTextContent('Choisissez le support qu’elles auront.')
    await choose(offer, /^Autre support/, 'Sans limite')
    await userEvent.click(offer.getByRole('button', { name: 'Valider' }))
    await screen.findByText(saved)
    expect(await medium(2)).toBeUndefined()
    expect(await medium(3)).toMatchObject({ name: 'Sans limite', ref_count: 5 })
  })

  it('keeps the file to try again, and says what was wrong with it', async () => {
    await openApp(server, '/settings/supports')
    await userEvent.click(await button('Ajouter un support'))
    const dialog = await inDialog('Ajouter un support')
    await write(dialog.getByLabelText(/^Nom/), 'Télescope')
    const file = (text: string) => new File([text], 'notice.pdf', { type: 'application/pdf' })
    await userEvent.upload(
      dialog.getByLabelText('Fichier des conditions', { selector: 'input' }),
      file('vide'),
    )
    expect(await dialog.findByText('notice.pdf')).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    const refused = await inDialog('Modifier le support')
    expect(
      refused.getByText(/^Une erreur s'est produite, le fichier n'a pas pu être uploadé\./),
    ).toBeVisible()
    await userEvent.click(refused.getByRole('button', { name: 'Retirer notice.pdf' }))
    await userEvent.upload(
      refused.getByLabelText('Fichier des conditions', { selector: 'input' }),
      file('%PDF-1.7 notice'),
    )
    await userEvent.click(refused.getByRole('button', { name: 'Valider' }))
    await screen.findByText(saved)
    const { rows } = await sql<{ id: number }>`select id from media where name = 'Télescope'`.execute(
      server.db,
    )
    expect(rows).toHaveLength(1)
    expect((await medium(rows[0]!.id)).loaning_conditions_file).toMatch(/conditions\?version=/)
  })
})
