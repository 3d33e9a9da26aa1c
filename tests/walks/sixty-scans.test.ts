import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, openCounter, put, scanBox, waitingTag } from '../support/counter.ts'

const count = 60
const gapMs = 1000 / 3
const codes = Array.from({ length: count }, (_, at) => `315555200${String(at + 1).padStart(5, '0')}`)

/** Sixty copies of a medium that sets no limit. */
async function addCopies(db: Db): Promise<void> {
  await sql`insert into "references" (name, code, category, medium, price, tags)
    select 'Jeu numéro ' || n, 'J' || n, 1, 3, 0, '{}' from generate_series(1, ${sql.lit(count)}) n`.execute(
    db,
  )
  await sql`insert into copies (reference, bar_code, site)
    select id, '315555200' || lpad(substr(code, 2), 5, '0'), 1 from "references" where code like 'J%'`.execute(
    db,
  )
}

type Road = { address: string; mood: 'whole' | 'late' | 'refused'; close(): void }

/** The road to the server: it may slow every answer down, or answer 503 in the server's place. */
async function openRoad(portOf: () => string): Promise<Road> {
  const proxy: Server = createServer((asked, answer) => {
    const isCall = asked.url?.startsWith('/api/') ?? false
    // Its health stays well, as behind a proxy that has lost the application.
    if (road.mood === 'refused' && isCall) {
      answer.writeHead(503, { 'retry-after': '1' }).end()
      return
    }
    const { method, url, headers } = asked
    const onward = request({ host: 'localhost', port: portOf(), method, path: url, headers }, (given) => {
      const pass = () => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      }
      given.on('error', () => answer.destroy())
      if (isCall && road.mood === 'late') setTimeout(pass, 3_000)
      else pass()
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const road: Road = {
    address: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    mood: 'whole',
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
  return road
}

/** What is done to the server while the scanner types: called before each scan, with its place. */
type Trouble = (at: number) => Promise<void> | void

describe('sixty scans, three a second', () => {
  let server: RunningServer
  let road: Road
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    road = await openRoad(() => new URL(server.address).port)
    server = await openRunningServer({ prepare: addCopies, env: { PUBLIC_URL: road.address } })
    device = await openDevice(road.address, { viewport: 'desktop' })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await becomeReadyForOffline(page)
  })
  afterAll(async () => {
    await device?.close()
    road?.close()
    await server?.drop()
  })

  /** Types all the codes at the scanner's rate, whatever the page or the server is doing meanwhile. */
  const scanAll = async (trouble: Trouble) => {
    const begun = Date.now()
    for (const [at, code] of codes.entries()) {
      await trouble(at)
      await page.waitForTimeout(Math.max(0, begun + at * gapMs - Date.now()))
      await typeAsScanner(page, code)
    }
  }

  const openLines = async () => {
    const more = page.getByRole('button', { name: 'Voir les passages précédents' })
    if (await more.isVisible()) await more.click()
    return page.getByRole('list', { name: 'Derniers passages' }).getByRole('listitem')
  }

  /** The device's own queue: every action it keeps, sent or not, in their order. */
  const queue = async () =>
    (await readOutbox(page)).map(({ bar_code, label, state, problem }) => ({
      bar_code,
      kind: label.kind,
      state,
      problem: problem?.message ?? null,
    }))
  const keptCodes = async (kind: string) =>
    (await queue()).filter((entry) => entry.kind === kind).map(({ bar_code }) => bar_code)
  /** Empty once the server has confirmed all of them; says what holds one back. */
  const unsettled = async () => (await queue()).filter(({ state }) => state !== 'done')

  const expectEverything = async (kind: string) => {
    await expect.poll(() => keptCodes(kind), { timeout: 120_000 }).toEqual(codes)
    const lines = await openLines()
    for (const at of [1, 2, 3, count / 2, count])
      await lines
        .filter({ hasText: `Jeu numéro ${at}` })
        .first()
        .waitFor()
    await expect.poll(unsettled, { timeout: 200_000 }).toEqual([])
    await waitingTag(page).waitFor({ state: 'detached' })
    expect(device.errors).toEqual([])
  }

  it('lends all of them while the server answers late, refuses, then is cut off and comes back', async () => {
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await scanBox(page).blur()
    road.mood = 'late'
    let restart: Promise<void> | undefined
    await scanAll(async (at) => {
      if (at === 15) road.mood = 'refused'
      if (at === 30) road.mood = 'whole'
      if (at === 36) await server.stop('SIGKILL')
      if (at === 50) restart = server.start()
    })
    await restart
    await expectEverything('lend')
    api = await apiOf(server.address, 'biblio', testPassword)
    expect(await api.lent()).toEqual(codes)
    expect(await api.countLoans()).toBe(count)
  })

  it('returns all of them while the server is killed again and again', async () => {
    await page.goto('/waiting')
    await page.getByRole('heading', { name: 'Actions en attente' }).waitFor()
    await page.goto('/home')
    await scanBox(page).waitFor()
    await scanBox(page).blur()
    let life = Promise.resolve()
    await scanAll((at) => {
      if (at % 20 === 5) life = life.then(() => server.stop('SIGKILL')).then(() => server.start())
    })
    await life
    await expect.poll(() => keptCodes('return'), { timeout: 120_000 }).toEqual(codes)
    await expect.poll(unsettled, { timeout: 200_000 }).toEqual([])
    await waitingTag(page).waitFor({ state: 'detached' })
    api = await apiOf(server.address, 'biblio', testPassword)
    expect(await api.lent()).toEqual([])
    expect(await api.countLoans()).toBe(count)
    expect(device.errors).toEqual([])
  })
})
