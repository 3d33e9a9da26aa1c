import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { becomeReadyForOffline, openCounter } from '../support/counter.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { signIn } from '../support/browser.ts'
import { tamperWith } from '../support/page-store.ts'
import type { RunningServer } from '../support/running-server.ts'
import { adminPassword, testPassword } from '../support/test-library.ts'
import {
  copyCode,
  copyTitle,
  type FaultyCounter,
  openFaultyCounter,
  openFaultyServer,
} from './faulty-counter.ts'

describe('a queue that speaks for somebody else', () => {
  let server: RunningServer
  let counter: FaultyCounter
  let api: Api
  beforeAll(async () => {
    server = await openFaultyServer()
    counter = await openFaultyCounter(server, { username: 'benevole' })
    await counter.chooseReader('R1')
    api = await apiOf(server.address, 'admin', adminPassword)
  })
  afterAll(async () => {
    await counter?.close()
    await server?.drop()
  })

  const loansOf = async (copy: number): Promise<unknown[]> =>
    (await api.get(`/api/loanings?copy_barcode=${copyCode(copy)}&status=in_progress`)).body['hydra:member']
  const cut = () => {
    counter.proxy.isDown = true
    counter.proxy.cutAll()
  }
  const signInAs = async (page: Page, username: string) => {
    await page.evaluate(() => localStorage.removeItem('token'))
    await signIn(page, username, username === 'admin' ? adminPassword : testPassword)
    await openCounter(page)
    // Another person's device begins without a snapshot, and does not know what it is cut off with.
    await becomeReadyForOffline(page)
  }
  const toConfirm = (page: Page) => page.getByRole('region', { name: 'À confirmer' })

  it('does not leave with the token of the person it names', async () => {
    const { page } = counter
    cut()
    await counter.lend(1)
    counter.confirmed.pop()
    await page.goto('/waiting')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter la file' }).click(),
    ])
    const file = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      entries: { id: string; user_id: number; username: string }[]
    }
    const me = (await api.get('/api/users/me')).body.id as number
    for (const entry of file.entries) {
      Object.assign(entry, {
        id: crypto.randomUUID(),
        user_id: me,
        username: 'admin',
        copy_id: null,
        bar_code: null,
      })
    }
    const forged = join(tmpdir(), `file-${process.pid}.json`)
    await writeFile(forged, JSON.stringify(file))
    await page.locator('input[type=file]').setInputFiles(forged)
    await page.getByText('1 action importée.').waitFor()
    await page.getByText(/^admin\s: 1 action/).waitFor()
    await page.goto('/home')
    await counter.heal()
    expect(await loansOf(1)).toHaveLength(1)

    await signInAs(page, 'admin')
    await counter.heal()
    const forgedEntries = async () => (await counter.outbox()).filter(({ user_id }) => user_id === me)
    expect((await forgedEntries()).map(({ state }) => state)).toEqual(['conflict'])
    await page.goto('/waiting')
    await toConfirm(page)
      .getByRole('button', { name: /^Confirmer\s: / })
      .waitFor()
    expect((await loansOf(1)) as { id: number }[]).toHaveLength(1)
  })

  it('is not believed where the store of the device was edited', async () => {
    const { page } = counter
    await signInAs(page, 'benevole')
    await counter.chooseReader('R1')
    cut()
    await counter.lend(2)
    counter.confirmed.pop()
    // What is on its way is what was done, whatever the store says meanwhile; off line nothing leaves.
    await page.getByText('Hors ligne', { exact: true }).first().waitFor()
    await expect.poll(async () => (await counter.entriesOf(2)).map(({ state }) => state)).toEqual(['queued'])
    await tamperWith(page, copyCode(2), '"occurred_at"', '"free":true,"occurred_at"')
    await counter.heal()
    expect(await counter.entriesOf(2)).toMatchObject([
      { state: 'conflict', problem: { reason: 'SEAL_BROKEN' } },
    ])
    expect(await loansOf(2)).toEqual([])
    await page.goto('/waiting')
    await toConfirm(page).getByText('Gratuit').waitFor()
    await toConfirm(page)
      .getByText(new RegExp(copyTitle(2)))
      .first()
      .waitFor()
  })

  it('leaves unasked after the session that made it ended by itself, and is asked about when it was ended from elsewhere', async () => {
    const { page } = counter
    await page.goto('/home')
    await openCounter(page)
    await counter.chooseReader('R1')
    cut()
    await counter.lend(3)
    counter.proxy.isDown = false
    // Signed out and in again: the same person's own queue.
    await signInAs(page, 'benevole')
    await counter.heal()
    expect(await loansOf(3)).toHaveLength(1)

    await counter.chooseReader('R1')
    cut()
    await counter.lend(4)
    counter.confirmed.pop()
    const benevole = await apiOf(server.address, 'benevole', testPassword)
    await benevole.post('/api/sessions/end', {}, { key: crypto.randomUUID() })
    counter.proxy.isDown = false
    await signInAs(page, 'benevole')
    await counter.heal()
    expect(await counter.entriesOf(4)).toMatchObject([
      { state: 'conflict', problem: { reason: 'SEAL_REVOKED' } },
    ])
    await page.goto('/waiting')
    await toConfirm(page)
      .getByRole('button', { name: new RegExp(`^Confirmer\\s: .*${copyTitle(4)}`) })
      .click()
    await expect.poll(() => loansOf(4)).toHaveLength(1)
  })
})
