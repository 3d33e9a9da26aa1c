import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

import type { Entry } from '../../src/offline/entry.ts'
import { becomeReadyForOffline, lineOf, openCounter, put, scanBox } from '../support/counter.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { readMeta, readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { type Confirmed, faultsIn, readApplied, type Witness } from './oracle.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A tablet at a counter, its server, and the network between them that a test breaks. */
export type FaultyCounter = {
  server: RunningServer
  proxy: TcpProxy
  device: Device
  readonly page: Page
  /** Works on another tab from now on. */
  use(page: Page): void
  /** What the person saw confirmed, for the oracle. */
  confirmed: Confirmed[]
  /** Chooses the reader to whom copies are lent (« R1 » unless said). */
  chooseReader(card?: string): Promise<void>
  /** Scans a copy that is in, and waits until the screen confirms it. */
  lend(n: number): Promise<void>
  /** Scans a copy that is out, and waits until the screen confirms it. */
  giveBack(n: number): Promise<void>
  outbox(): Promise<Entry[]>
  /** Ids of the copies, by bar code. */
  copyIds(): Promise<Map<string, number>>
  /** The entries of a copy, oldest first. */
  entriesOf(n: number): Promise<Entry[]>
  /** Where they stand. */
  statesOf(n: number): Promise<Entry['state'][]>
  /** Network and server are well again; waits until nothing is left to be sent. */
  heal(): Promise<void>
  /** Stops the server and asks the oracle; `tampered` are copies whose stored entries the test changed. */
  judge(also?: { others?: Witness[]; tampered?: string[] }): Promise<void>
  /** What this device says, for another's oracle. */
  witness(): Promise<Witness>
  close(): Promise<void>
}

type Options = { profile?: string; username?: string; args?: string[] }

/** Copies 5001…5400 « Ouvrage 1 »…, of a medium that sets no limit. */
export const copyCode = (n: number): string => String(5000 + n)
export const copyTitle = (n: number): string => `Ouvrage ${String(n).padStart(3, '0')}`

export async function openFaultyServer(onPostgres = false): Promise<RunningServer> {
  return openRunningServer({
    entry: 'dist/faults/fail-point-server.js',
    onPostgres,
    prepare: async (db) => {
      // What is broken here may take minutes to heal, and the reader waits at the counter.
      await sql`update parameters set value = '3600' where code = 'counter_reader_forget_seconds'`.execute(db)
      await sql`insert into "references" (name, code, category, medium)
        select 'Ouvrage ' || lpad(n::text, 3, '0'), 'O' || n, 1, 3 from generate_series(1, 400) n order by n`.execute(
        db,
      )
      await sql`insert into copies (reference, bar_code, site)
        select id, (5000 + substr(code, 2)::int)::text, 1 from "references" where code ~ '^O[0-9]+$' order by id`.execute(
        db,
      )
    },
  })
}

/** One server and counter for a `describe`; `at.counter` may be replaced by the same tablet reopened. */
export function atFaultyCounter(
  open: () => Options | Promise<Options> = () => ({}),
  { onPostgres = false } = {},
): {
  server: RunningServer
  counter: FaultyCounter
} {
  const at = {} as { server: RunningServer; counter: FaultyCounter }
  beforeAll(async () => {
    at.server = await openFaultyServer(onPostgres)
    at.counter = await openFaultyCounter(at.server, await open())
    await at.counter.chooseReader()
  })
  afterAll(async () => {
    await at.counter?.close()
    await at.server?.drop()
  })
  return at
}

/** Opens the counter of one tablet, signed in and ready to work without a network. */
export async function openFaultyCounter(
  server: RunningServer,
  options: Options = {},
): Promise<FaultyCounter> {
  const { username = 'biblio', ...deviceOptions } = options
  const proxy = await openTcpProxy(server.port)
  const device = await openDevice(proxy.address, { still: true, ...deviceOptions })
  const { page } = device
  await signIn(page, username, testPassword)
  await openCounter(page)
  await becomeReadyForOffline(page)
  return counterOn(server, proxy, device)
}

/** The same, of a device that is open already; `confirmed` is what its person saw before. */
export function counterOn(
  server: RunningServer,
  proxy: TcpProxy,
  device: Device,
  confirmed: Confirmed[] = [],
): FaultyCounter {
  let page = device.page
  const counter: FaultyCounter = {
    server,
    proxy,
    device,
    get page() {
      return page
    },
    use: (other) => {
      page = other
    },
    confirmed,
    chooseReader: async (card = 'R1') => {
      await put(page, card)
      await page.getByRole('region', { name: 'Lecteur' }).waitFor()
    },
    lend: (n) => scanCopy(counter, n, 'lend'),
    giveBack: (n) => scanCopy(counter, n, 'return'),
    outbox: () => readOutbox(page),
    copyIds: async () => {
      const api = await apiOf(server.address, 'biblio', testPassword)
      const { body } = await api.get('/api/copies?limit=500&order[id]=desc')
      return new Map(
        (body['hydra:member'] as { id: number; bar_code: string }[]).map(({ id, bar_code }) => [
          bar_code,
          id,
        ]),
      )
    },
    entriesOf: async (n) => (await readOutbox(page)).filter(({ bar_code }) => bar_code === copyCode(n)),
    statesOf: async (n) => (await counter.entriesOf(n)).map(({ state }) => state),
    heal: async () => {
      proxy.isDown = false
      proxy.fateOf = () => 'pass'
      proxy.cutAll()
      const left = async () => {
        // A death that was ordered may come while the queue is sent again.
        if (!server.isRunning()) {
          await server.start()
          await askAgain()
        }
        return unsent(page)
      }
      const askAgain = () => page.evaluate(() => dispatchEvent(new Event('online')))
      await askAgain()
      await expect.poll(left, { timeout: 90_000 }).toEqual([])
    },
    witness: async () => ({
      device_id: String(await readMeta(page, 'device_id')),
      entries: await readOutbox(page),
      confirmed: counter.confirmed,
    }),
    judge: async ({ others = [], tampered = [] } = {}) => {
      const witness = await counter.witness()
      await server.stop()
      const applied = await readApplied(server.dataDir, server.databaseUrl)
      const isJudged = ({ bar_code }: { bar_code: string | null }) => !tampered.includes(bar_code ?? '')
      const judged = {
        ...witness,
        entries: witness.entries.filter(isJudged),
        confirmed: witness.confirmed.filter(isJudged),
      }
      const { loans } = applied
      expect(faultsIn({ ...applied, loans: loans.filter(isJudged) }, [judged, ...others])).toEqual([])
      await server.start()
    },
    close: async () => {
      await device.close()
      await proxy.close()
    },
  }
  return counter
}

async function scanCopy(
  { page, confirmed }: FaultyCounter,
  n: number,
  kind: Confirmed['kind'],
): Promise<void> {
  const line = lineOf(page, copyTitle(n))
  const kept = line
    // Under a reader’s card the line no longer repeats to whom it was lent.
    // A loan that is refused says nothing but that.
    .filter({ hasText: kind === 'lend' ? /Prêté|Retour le|Refusé/ : /Rendu/ })
    // Refused at once, by the server or because of the device's clock, it was kept all the same.
    .getByText(/^(Enregistré|Confirmé|Refusé)/)
    .first()
  // What was done with this very copy a moment ago is asked about.
  const again = line.filter({ hasText: 'À confirmer' }).getByRole('button', {
    name: kind === 'lend' ? /^Prêter à / : 'Rendre',
    exact: true,
  })
  await put(page, copyCode(n))
  await kept.or(again).first().waitFor()
  if (await again.isVisible()) await again.click()
  await kept.waitFor()
  confirmed.push({ kind, bar_code: copyCode(n) })
}

const unsent = async (page: Page): Promise<string[]> =>
  (await readOutbox(page))
    .filter(({ state }) => state === 'queued' || state === 'sending')
    .map(({ bar_code, state }) => `${bar_code} ${state}`)

/** Waits until the page has been loaded again and can be scanned at. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await scanBox(page).waitFor()
}
