import { expect } from 'vitest'

import { type Found, lookOf, scriptFor, type Wanted } from './engine-seek.ts'
import type { Engine } from './engine-starts.ts'
import type { Key } from './engine-webdriver.ts'

export { findEngines } from './engine-starts.ts'
export type { Wanted } from './engine-seek.ts'

/** A tablet of 820 × 1180 in a person's hands, with the same verbs for each engine. */
export type Tablet = {
  open(path: string): Promise<void>
  /** As a person does: a driver's own command goes past the service worker in Firefox. */
  reload(): Promise<void>
  /** Waits until the page was loaded anew since its `isOld` was set. */
  isNew(): Promise<void>
  /** Waits until it is in sight. */
  sees(wanted: Wanted): Promise<void>
  /** Waits until it is gone. */
  misses(wanted: Wanted): Promise<void>
  /** Waits until it is in sight, holds still and can be met, and presses it. */
  press(wanted: Wanted): Promise<void>
  /** Presses a field and types into it. */
  type(wanted: Wanted, text: string): Promise<void>
  /** Keys as a hand-held scanner types them, Enter with them, wherever the focus is. */
  scan(code: string): Promise<void>
  key(key: Key): Promise<void>
  /** Waits until it has the focus. */
  isAt(wanted: Wanted): Promise<void>
  valueOf(wanted: Wanted): Promise<string>
  /** What a script of the page's own answers. */
  run(script: string): Promise<unknown>
  picture(): Promise<Buffer>
  /** What the pages complained of (exceptions, policies broken). */
  complaints: string[]
  close(): Promise<void>
}

const focusedScript = 'return document.activeElement?.outerHTML.slice(0, 200)'

export async function openTablet(engine: Engine, address: string): Promise<Tablet> {
  const page = await engine.start(address)
  const complaints: string[] = []

  const look = async (wanted: Wanted): Promise<Found[]> => {
    const known = lookOf(await page.run(scriptFor(wanted, false)))
    const seen = known ?? lookOf(await page.run(scriptFor(wanted, true)))
    complaints.push(...(seen?.complaints ?? []))
    return seen?.found ?? []
  }
  /** A page that is being left cannot be looked at. */
  const tryLook = (wanted: Wanted) => look(wanted).catch(() => [])
  const wait = (ask: () => Promise<boolean>, said: string) => expect.poll(ask, { message: said }).toBe(true)
  const sayOf = (wanted: Wanted): string =>
    JSON.stringify(wanted, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value))

  const sees = (wanted: Wanted) =>
    wait(async () => (await tryLook(wanted)).length > 0, `sees ${sayOf(wanted)}`)

  async function press(wanted: Wanted): Promise<void> {
    let before: Found | undefined
    await wait(
      async () => {
        const [first] = await tryLook(wanted)
        const isStill = first?.x === before?.x && first?.y === before?.y
        before = first
        return first !== undefined && isStill && first.isReached && first.isEnabled
      },
      `can press ${sayOf(wanted)}`,
    )
    if (before) await page.click(before.x, before.y)
  }
  const isAt = async (wanted: Wanted) => {
    const hasFocus = async () => (await tryLook(wanted)).some((one) => one.hasFocus)
    // What has the focus instead tells why.
    const told = async () => (await hasFocus()) || page.run(focusedScript)
    await expect.poll(told, { message: `is at ${sayOf(wanted)}` }).toBe(true)
  }

  const isNew = () =>
    wait(
      () =>
        page.run('return window.isOld === undefined && document.readyState === "complete"').then(
          (answer) => answer === true,
          () => false,
        ),
      'is loaded anew',
    )

  return {
    complaints,
    open: (path) => page.goTo(address + path),
    reload: async () => {
      await page.run('window.isOld = true; location.reload()')
      await isNew()
    },
    isNew,
    sees,
    misses: (wanted) =>
      wait(async () => (await look(wanted).catch(() => [null])).length === 0, `misses ${sayOf(wanted)}`),
    press,
    type: async (wanted, text) => {
      await press(wanted)
      await isAt(wanted)
      await page.type(text)
    },
    scan: page.scan,
    key: page.key,
    isAt,
    valueOf: async (wanted) => (await look(wanted))[0]?.value ?? '',
    run: page.run,
    picture: page.picture,
    close: page.close,
  }
}
