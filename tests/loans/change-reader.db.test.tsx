import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

const question = () => screen.findByRole('region', { name: 'Changer de lecteur' })
const isChosen = (name: string) => screen.findByText(name, { selector: 'p' })

describeServer('another reader while a loan is not saved', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })
  const lent = async () =>
    (await sql`select beneficiary, copy from loanings order by id`.execute(server.db)).rows

  async function scanAnother() {
    const page = await openCounter('/loaning/add?beneficiary=1&copy=1', server)
    await screen.findByRole('list', { name: 'Exemplaires du prêt' })
    page.scan('R2')
    return within(await question())
  }

  it('keeps in sight what is scanned before anybody has decided, and takes it up then', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1&copy=1', server)
    await screen.findByRole('list', { name: 'Exemplaires du prêt' })
    page.scan('R2')
    page.scan('1002')
    const asked = within(await question())
    const waiting = await screen.findByRole('region', { name: 'En attente du lecteur' })
    expect(within(waiting).getByText('1002')).toBeVisible()
    await userEvent.click(asked.getByRole('button', { name: 'Changer sans enregistrer' }))
    expect(await isChosen('Éric Dupont')).toBeVisible()
    const lines = within(await screen.findByRole('list', { name: 'Exemplaires du prêt' }))
    expect(await lines.findByText('Livre numéro 2')).toBeVisible()
  })

  it('follows once the loan is saved, where that is wanted', async () => {
    const asked = await scanAnother()
    expect(
      asked.getByText(
        /^Le prêt d’Alice Martin n’est pas enregistré\s: 1 exemplaire en sort si vous changez pour Éric Dupont sans/,
      ),
    ).toBeVisible()
    // The scanner's next Enter must decide nothing.
    expect(asked.getByRole('button', { name: 'Annuler' })).not.toHaveFocus()
    expect(screen.getByRole('button', { name: 'Enregistrer et continuer' })).toBeDisabled()
    await press('Enregistrer puis changer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    expect(await isChosen('Éric Dupont')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull())
    expect(await lent()).toEqual([{ beneficiary: 1, copy: 1 }])
  })

  it('is offered what was refused to the one before, without a motive for that one', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R3')
    page.scan('1003')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    await left.findByText('Livre numéro 3')
    page.scan('R1')
    await userEvent.click(
      await left.findByRole('button', { name: 'Prêter à Alice Martin\u202f: Livre numéro 3' }),
    )
    const lines = within(await screen.findByRole('list', { name: 'Exemplaires du prêt' }))
    expect(await lines.findByText('Livre numéro 3')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('does not where the loan is refused, whose line says why', async () => {
    const asked = await scanAnother()
    await sql`update copies set status = 'Non Disponible' where id = 1`.execute(server.db)
    await userEvent.click(asked.getByRole('button', { name: 'Enregistrer puis changer' }))
    const lines = within(await screen.findByRole('list', { name: 'Exemplaires du prêt' }))
    expect(await lines.findByRole('alert')).toBeVisible()
    expect(
      await screen.findByText(/^Le prêt n’est pas enregistré\s: le lecteur reste Alice Martin\.$/),
    ).toBeVisible()
    expect(await lent()).toEqual([])
  })

  it('follows without it, or not at all', async () => {
    await scanAnother()
    await press('Annuler')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Changer de lecteur' })).toBeNull())
    expect(await isChosen('Alice Martin')).toBeVisible()
    await press('Changer de lecteur')
    const byHand = within(await question())
    expect(byHand.getByRole('button', { name: 'Annuler' })).toHaveFocus()
    await userEvent.click(byHand.getByRole('button', { name: 'Changer sans enregistrer' }))
    expect(await screen.findByLabelText('Lecteur')).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull()
    expect(await lent()).toEqual([])
  })
})
