import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import * as basketRules from '../../src/client/lending/basket.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import * as laneWords from '../../src/client/home/lane-words.ts'
import { clearLane } from '../../src/client/home/lane-store.ts'
import * as dueSentences from '../../src/domain/due-words.ts'
import { openHome, typeScan } from '../home/open-home.tsx'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, openCounter } from './open-counter.tsx'

// Each row asks once for its words when it is drawn, so that what was asked tells which rows were drawn (decision 0020).

beforeEach(clearLane)
afterEach(closeCounter)

const copies = [1, 2, 3, 4, 5]
const titleOf = (copy: number) => `Livre numéro ${copy}`
const onlyOf = <T,>(all: readonly T[]): T[] => [...new Set(all)]

describeServer('a scan among others draws one row', (server) => {
  it('of what is taken back, as do a tick and a note', async () => {
    const client = await server.as('biblio')
    for (const copy of copies) await client.post('/api/loanings', { copy, beneficiary: 1 })
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    for (const copy of copies.slice(0, -1)) page.scan(`100${copy}`)
    await screen.findByText(/^4 prêts en cours, 4 cochés$/)
    const asked = vi.spyOn(dueSentences, 'dueWords')
    const drawn = () => {
      const loans = asked.mock.calls.map(([loan]) => (loan as { title?: string }).title)
      asked.mockClear()
      return onlyOf(loans)
    }
    page.scan('1005')
    await screen.findByText(/^5 prêts en cours, 5 cochés$/)
    expect(await screen.findByLabelText('Commentaire de retour')).toBeVisible()
    expect(drawn()).toEqual([titleOf(5)])
    await userEvent.click(screen.getByRole('checkbox', { name: new RegExp(titleOf(2)) }))
    await screen.findByText(/^5 prêts en cours, 4 cochés$/)
    expect(drawn()).toEqual([titleOf(2)])
    await userEvent.click(
      screen.getByRole('button', { name: new RegExp(`^Noter l’état ou un commentaire.*${titleOf(3)}$`) }),
    )
    const comments = screen.getAllByLabelText('Commentaire de retour')
    expect(comments).toHaveLength(2)
    expect(drawn()).toEqual([])
    await userEvent.type(comments[1] as HTMLElement, 'Tache')
    expect(drawn()).toEqual([])
    for (const copy of copies) await client.post('/api/loanings/return', { bar_code: `100${copy}` })
  })

  it('of what is lent', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R1')
    for (const copy of copies.slice(0, -1)) page.scan(`100${copy}`)
    const list = await screen.findByRole('list', { name: 'Exemplaires du prêt' })
    const rows = (count: number) =>
      waitFor(() => expect(within(list).getAllByText('Peut emprunter')).toHaveLength(count))
    await rows(4)
    const asked = vi.spyOn(basketRules, 'amountOf')
    const drawn = () => {
      const lines = asked.mock.calls.map(([line]) => line.copy.name)
      asked.mockClear()
      return onlyOf(lines)
    }
    page.scan('1005')
    await rows(5)
    expect(drawn()).toEqual([titleOf(5)])
    await userEvent.click(within(list).getByRole('button', { name: new RegExp(`^Retirer.*${titleOf(2)}$`) }))
    await rows(4)
    expect(drawn()).toEqual([])
  })

  it('of the counter’s passages', async () => {
    setPreference('scanner_prefix', '~')
    const { knows } = await openHome(server)
    await knows()
    typeScan('R1')
    for (const copy of copies.slice(0, -1)) typeScan(`100${copy}`)
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    const lent = (count: number) =>
      waitFor(() => expect(within(lane).getAllByText('Confirmé')).toHaveLength(count))
    await lent(4)
    const asked = vi.spyOn(laneWords, 'lineWordsOf')
    typeScan('1005')
    await lent(5)
    const codes = onlyOf(asked.mock.calls.map(([line]) => line.code))
    expect(codes).toHaveLength(1)
    expect(codes[0]).toContain('1005')
  })
})
