import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { openCounter } from '../support/counter.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { signIn } from '../support/browser.ts'
import type { RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import {
  copyCode,
  copyTitle,
  type FaultyCounter,
  openFaultyCounter,
  openFaultyServer,
} from './faulty-counter.ts'
import { isLend, type PassingRequest } from './tcp-proxy.ts'

describe('people who share tablets, and tablets that share books', () => {
  let server: RunningServer
  let one: FaultyCounter
  let other: FaultyCounter
  let api: Api
  let n = 0
  beforeAll(async () => {
    server = await openFaultyServer()
    ;[one, other] = await Promise.all([openFaultyCounter(server), openFaultyCounter(server)])
    await one.chooseReader('R1')
    await other.chooseReader('R2')
    api = await apiOf(server.address, 'biblio', testPassword)
  })
  afterAll(async () => {
    await one?.close()
    await other?.close()
    await server?.drop()
  })

  const statesOf = async (counter: FaultyCounter, copy: number) =>
    (await counter.entriesOf(copy)).map(({ state }) => state)
  const loseNetwork = (...counters: FaultyCounter[]) => {
    for (const { proxy } of counters) {
      proxy.isDown = true
      proxy.cutAll()
    }
  }
  const copyId = async (copy: number): Promise<number> =>
    ((await api.get(`/api/copies?bar_code=${copyCode(copy)}`)).body['hydra:member'] as { id: number }[])[0]
      ?.id ?? 0
  const holderOf = async (copy: number): Promise<string[]> =>
    (
      (await api.get(`/api/loanings?copy_barcode=${copyCode(copy)}&status=in_progress`)).body[
        'hydra:member'
      ] as {
        beneficiary_info: string
      }[]
    ).map(({ beneficiary_info }) => beneficiary_info)
  /** Chooses before a conflict, on the screen of waiting actions, and comes back to the counter. */
  async function settle({ page }: FaultyCounter, copy: number, choice: string): Promise<void> {
    await page.goto('/waiting')
    const row = page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .filter({ hasText: 'À régler' })
    await row.getByRole('button', { name: choice }).click()
    await row.waitFor({ state: 'detached' })
    await page.goto('/home')
  }
  const signOutAndIn = async (page: Page, username: string) => {
    await page.evaluate(() => localStorage.removeItem('token'))
    await signIn(page, username, testPassword)
    await openCounter(page)
  }

  it('applies a loan and the return of it, both made off line', async () => {
    const copy = (n += 1)
    loseNetwork(one)
    await one.lend(copy)
    await one.giveBack(copy)
    await one.heal()
    expect(await statesOf(one, copy)).toEqual(['done', 'done'])
  })

  it('lends one copy to one of two readers, and puts the other loan before a person', async () => {
    const copy = (n += 1)
    loseNetwork(one, other)
    await one.lend(copy)
    await other.lend(copy)
    await one.heal()
    await other.heal()
    expect(await statesOf(one, copy)).toEqual(['done'])
    expect(await statesOf(other, copy)).toEqual(['conflict'])
    expect(await holderOf(copy)).toEqual(['M1 - Martin Alice'])
    await settle(other, copy, 'Clore l’ancien prêt et prêter')
    await expect.poll(() => statesOf(other, copy)).toEqual(['set_aside', 'done'])
    expect(await holderOf(copy)).toEqual(['M2 - Dupont Éric'])
    await other.chooseReader('R2')
  })

  it('keeps a newer loan open against a return made before it, off line', async () => {
    const copy = (n += 1)
    await one.lend(copy)
    await expect.poll(() => statesOf(one, copy)).toEqual(['done'])
    loseNetwork(one)
    await one.giveBack(copy)
    expect((await api.post('/api/loanings/return', { bar_code: copyCode(copy) })).status).toBe(200)
    expect((await api.post('/api/loanings', { beneficiary: 2, copy: await copyId(copy) })).status).toBe(201)
    await one.heal()
    expect((await one.entriesOf(copy))[1]).toMatchObject({
      state: 'conflict',
      problem: { reason: 'NEWER_LOAN' },
    })
    await settle(one, copy, 'Garder le prêt le plus récent')
    await expect.poll(() => statesOf(one, copy)).toEqual(['done', 'set_aside', 'done'])
    expect(await holderOf(copy)).toEqual(['M2 - Dupont Éric'])
    await one.chooseReader('R1')
  })

  it('settles once a conflict that two devices settle, the queue carried from one to the other', async () => {
    const copy = (n += 1)
    loseNetwork(one)
    await one.lend(copy)
    expect((await api.post('/api/loanings', { beneficiary: 2, copy: await copyId(copy) })).status).toBe(201)
    await one.heal()
    expect(await statesOf(one, copy)).toEqual(['conflict'])
    const file = await exportQueue(one.page)
    await importQueue(other.page, file)
    expect(await statesOf(other, copy)).toEqual(['conflict'])

    await settle(one, copy, 'Non remis au lecteur')
    await expect.poll(() => statesOf(one, copy)).toEqual(['set_aside', 'done'])
    await settle(other, copy, 'Clore l’ancien prêt et prêter')
    await expect.poll(() => statesOf(other, copy)).toEqual(['set_aside', 'done'])
    expect((await other.entriesOf(copy))[1]?.receipt).toMatchObject({
      is_first: false,
      choice: 'NOT_HANDED_OVER',
    })
    expect(await holderOf(copy)).toEqual(['M2 - Dupont Éric'])
    await one.chooseReader('R1')
    await other.chooseReader('R2')
  })

  it('pauses when the session ends in the middle, and goes on after signing in', async () => {
    const copies = [(n += 1), (n += 1)]
    loseNetwork(one)
    for (const copy of copies) await one.lend(copy)
    const token = await one.page.evaluate(() => localStorage.getItem('token'))
    const ended = await fetch(`${server.address}/api/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ended.ok).toBe(true)
    one.proxy.isDown = false
    await one.page.evaluate(() => dispatchEvent(new Event('online')))
    await one.page.waitForURL(/\/login/)
    // One may have been on its way when the page was left.
    for (const copy of copies) expect(['queued', 'sending']).toContain((await statesOf(one, copy))[0])
    await signIn(one.page, 'biblio', testPassword)
    await openCounter(one.page)
    await one.heal()
    for (const copy of copies) expect(await statesOf(one, copy)).toEqual(['done'])
    await one.chooseReader('R1')
  })

  it('keeps one person’s actions from another’s token, until a holder of the right adopts them', async () => {
    const copies = [(n += 1), (n += 1)]
    await signOutAndIn(one.page, 'benevole')
    await one.chooseReader('R1')
    // Loans get no answer, whatever else does: they are there when the next person comes.
    one.proxy.fateOf = (request) => (isLend(request) ? 'drop' : 'pass')
    for (const copy of copies) await one.lend(copy)
    await one.page.evaluate(() => localStorage.removeItem('token'))
    await signIn(one.page, 'biblio', testPassword)
    await openCounter(one.page)
    const tokenOf = ({ head }: PassingRequest) => /^authorization: *Bearer (\S+)/im.exec(head)?.[1]
    const token = await one.page.evaluate(() => localStorage.getItem('token'))
    const sentBy = () => one.proxy.seen.filter(({ request }) => isLend(request) && tokenOf(request) === token)
    one.proxy.fateOf = () => 'pass'
    await one.page.goto('/waiting')
    const adopt = one.page.getByRole('button', { name: 'Reprendre les actions de benevole' })
    await adopt.waitFor()
    for (const copy of copies) expect(await statesOf(one, copy)).toEqual(['queued'])
    expect(sentBy()).toEqual([])
    await adopt.click()
    await one.page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await one.heal()
    for (const copy of copies) expect(await statesOf(one, copy)).toEqual(['done'])
    // Sent by the one for the other: both names are the server's to keep.
    const sent = sentBy().map(({ request }) => request.head)
    expect(sent.filter((head) => !/^x-on-behalf-of: *\d+/im.test(head))).toEqual([])
    // One that was still being applied when its answer was lost is asked again.
    expect(new Set(sent.map((head) => /^idempotency-key: *(\S+)/im.exec(head)?.[1])).size).toBe(2)
    await one.page.goto('/home')
    await one.chooseReader('R1')
  })

  it('puts what a person may no longer do before a person, and applies it when the right is back', async () => {
    const copy = (n += 1)
    loseNetwork(one)
    await one.lend(copy)
    await editDatabase(
      sql`delete from profile_rights where right_code = 'LOANING_ADD' and profile = (select profile from users where username = 'biblio')`,
    )
    await one.heal()
    expect((await one.entriesOf(copy))[0]).toMatchObject({ state: 'conflict', problem: { code: 403 } })
    await editDatabase(
      sql`insert into profile_rights (profile, right_code) select profile, 'LOANING_ADD' from users where username = 'biblio'`,
    )
    await one.page.goto('/waiting')
    await one.page
      .getByRole('listitem')
      .filter({ hasText: copyTitle(copy) })
      .getByRole('button', { name: 'Réessayer' })
      .click()
    await expect.poll(() => statesOf(one, copy)).toEqual(['set_aside', 'done'])
    await one.page.goto('/home')
    await openCounter(one.page)
    await one.chooseReader('R1')
  })

  it('finds its queue again after the device was wiped, from its file, imported twice', async () => {
    const copies = [(n += 1), (n += 1), (n += 1)]
    loseNetwork(other)
    for (const copy of copies) await other.lend(copy)
    await other.giveBack(copies[0] ?? 0)
    const file = await exportQueue(other.page)
    const left = await other.witness()
    wiped.push({
      ...left,
      entries: left.entries.filter(({ state }) => state === 'done' || state === 'set_aside'),
    })
    const session = await other.page.context().newCDPSession(other.page)
    await other.page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', { origin: other.proxy.address, storageTypes: 'all' })
    other.proxy.isDown = false
    await signIn(other.page, 'biblio', testPassword)
    await openCounter(other.page)
    await importQueue(other.page, file)
    await importQueue(other.page, file)
    await other.heal()
    expect(await statesOf(other, copies[0] ?? 0)).toEqual(['done', 'done'])
    for (const copy of copies.slice(1)) expect(await statesOf(other, copy)).toEqual(['done'])
  })
  const wiped: Awaited<ReturnType<FaultyCounter['witness']>>[] = []

  it('leaves nothing for the oracle to find', async () => {
    await one.heal()
    await other.heal()
    const now = await other.witness()
    const before = wiped.flatMap(({ entries }) => entries)
    const known = new Set(now.entries.map(({ id }) => id))
    // What was done before the wipe is known to the test alone.
    const remembered = before.filter(({ id }) => !known.has(id))
    await one.judge({
      others: [{ ...now, device_id: wiped[0]?.device_id ?? '', entries: [...remembered, ...now.entries] }],
    })
  })

  async function editDatabase(statement: ReturnType<typeof sql>): Promise<void> {
    await server.stop()
    const environment = await openEnvironment(server, 1)
    await statement.execute(environment.db).finally(() => environment.close())
    await server.start()
  }
  async function exportQueue(page: Page): Promise<string> {
    await page.goto('/waiting')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter la file' }).click(),
    ])
    return readFile(await download.path(), 'utf8')
  }
  async function importQueue(page: Page, file: string): Promise<void> {
    await page.goto('/waiting')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Importer une file' }).click(),
    ])
    await chooser.setFiles({ name: 'file.json', mimeType: 'application/json', buffer: Buffer.from(file) })
    await page
      .getByText(/actions? importées?/)
      .first()
      .waitFor()
  }
})
