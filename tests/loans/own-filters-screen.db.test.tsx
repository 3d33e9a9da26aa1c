import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { filterChoices } from '../../src/contract/filters.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

const openChoice = async () => {
  await press('Choisir les filtres affichés')
  return within(await screen.findByRole('dialog', { name: 'Filtres affichés' }))
}

describeServer('the filters above the list of loans', (server) => {
  it('are those that the person chose, here and on the next device', async () => {
    await openCounter('/loanings', server)
    const choice = await openChoice()
    const boxes = choice.getAllByRole<HTMLInputElement>('checkbox')
    // What the server offers and what the screen draws are one list, but for the sites, of which there is one here.
    expect(boxes.map(({ value }) => value)).toEqual(
      filterChoices.loanings.map(({ code }) => code).filter((code) => code !== 'site'),
    )
    await userEvent.click(choice.getByLabelText('Lecteur'))
    await userEvent.click(choice.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Filtres sauvegardés.')).toBeVisible()
    await waitFor(() => expect(screen.queryByLabelText('Lecteur')).toBeNull())
    await closeCounter()

    await openCounter('/loanings', server)
    await waitFor(() => expect(screen.queryByLabelText('Lecteur')).toBeNull())
    expect(screen.getByLabelText('Référence')).toBeVisible()
    await closeCounter()

    // What is set is seen, chosen or not.
    await openCounter('/loanings?benefsearchname%7Clike=martin', server)
    expect(await screen.findByDisplayValue('martin')).toBeVisible()
  })

  it('stay as they are where they cannot be saved, which is said', async () => {
    await openCounter('/loanings', server)
    const choice = await openChoice()
    await server.db.schema.alterTable('user_filters').renameTo('user_filters_away').execute()
    await userEvent.click(choice.getByLabelText('Référence'))
    await userEvent.click(choice.getByRole('button', { name: 'Valider' }))
    expect(
      await screen.findByText("Une erreur s'est produite lors de la sauvegarde de vos filtres."),
    ).toBeVisible()
    expect(choice.getByRole('button', { name: 'Valider' })).toBeVisible()
    await server.db.schema.alterTable('user_filters_away').renameTo('user_filters').execute()
  })
})

describeServer('mails to many', (server) => {
  it('are followed until they are ready to leave, also by whoever comes back', async () => {
    const client = await server.as('biblio')
    await client.post('/api/loanings', { copy: 1, beneficiary: 1 })
    await client.post('/api/loanings', { copy: 2, beneficiary: 2 })
    await openCounter('/loanings', server)
    await press('Envoyer un récapitulatif')
    const question = await screen.findByRole('dialog', { name: 'Récapitulatif des prêts' })
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    expect(await screen.findByText(/^Récapitulatif des prêts\s: 0 sur 2$/)).toBeVisible()
    await closeCounter()

    await openCounter('/loanings', server)
    expect(await screen.findByText(/^Récapitulatif des prêts\s: 0 sur 2$/)).toBeVisible()
    await server.doJobs()
    expect(
      await screen.findByText(
        /^2 courriels sont écrits dans des fichiers du serveur\s: le courrier n’est pas branché\.$/,
      ),
    ).toBeVisible()
    expect(screen.queryByRole('progressbar', { name: 'Récapitulatif des prêts' })).toBeNull()
  })
})
