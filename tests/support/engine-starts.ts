import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { vi } from 'vitest'

import { freePort } from '../faults/product.ts'
import { findBrowser, openDevice, typeAsScanner, viewports } from './browser.ts'
import { installFromDebian } from './debian-packages.ts'
import { drive, type Driven, overHttp, overMarionette } from './engine-webdriver.ts'

/** A page of an engine; `close` ends all that was started for it. */
type EngineStart = Driven & { close(): Promise<void> }

export type Engine = {
  name: string
  /** The counter's word on its camera: refused, or missing where an engine cannot pretend one. */
  ofCamera: string
  /** Looks for it on the machine, then in Debian's packages; throws where it cannot be had. */
  find(): Promise<void>
  /** Opens an empty page of a tablet's size. */
  start(address: string): Promise<EngineStart>
}

const firstOf = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path)) ?? null

const firefox = () =>
  firstOf(
    process.env['FIREFOX_PATH'],
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  )
const webKitDriver = () => firstOf('/usr/bin/WebKitWebDriver')
const xvfb = () => firstOf('/usr/bin/Xvfb')
const miniBrowser = () =>
  firstOf(
    ...['x86_64', 'aarch64'].flatMap((machine) =>
      ['4.1', '6.0'].map((version) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`),
    ),
  )

/** Installs what is missing, and makes sure that it is there then. */
async function have(packages: string[], ...needed: (() => string | null)[]): Promise<void> {
  const isThere = () => needed.every((path) => path() !== null)
  if (!isThere()) await installFromDebian(...packages)
  if (!isThere()) throw new Error(`${packages.join(', ')}: not where it was looked for`)
}

/** What is started keeps its files in a folder of its own, and nothing of it in the person's. */
async function ownFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'comptoir-engine-'))
  const env = { ...process.env, HOME: folder, TZ: 'Europe/Paris', DBUS_SESSION_BUS_ADDRESS: 'disabled:' }
  for (const name of ['CONFIG', 'CACHE', 'DATA'] as const)
    Object.assign(env, { [`XDG_${name}_HOME`]: join(folder, name.toLowerCase()) })
  return { folder, env, drop: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** The first of what a process says that this finds something in. */
async function saidBy(child: ChildProcess, at: 1 | 3, pattern: RegExp): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdio[at]?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = pattern.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
}

const refused = 'L’accès à la caméra est refusé'
// There is a camera, and the person refused it.
const refusedCamera = ['--use-fake-device-for-media-stream', '--deny-permission-prompts']

const chromiumEngine: Engine = {
  name: 'Chromium',
  ofCamera: refused,
  find: async () => void (await findBrowser()),
  start: async (address) => {
    const device = await openDevice(address, { viewport: 'tablet', still: true, args: refusedCamera })
    const { page } = device
    return {
      goTo: async (url) => void (await page.goto(url)),
      run: (script) => page.evaluate(`(() => { ${script} })()`),
      click: (x, y) => page.mouse.click(x, y),
      type: (text) => page.keyboard.type(text),
      scan: (code) => typeAsScanner(page, code),
      key: (key) => page.keyboard.press(key),
      picture: () => page.screenshot(),
      close: () => device.close(),
    }
  },
}

// A tablet in France without a camera, where nothing moves, so that presses hit.
const firefoxSettings = {
  'marionette.port': 0,
  'intl.accept_languages': 'fr-FR, fr',
  'media.navigator.streams.fake': true,
  'permissions.default.camera': 2,
  'ui.prefersReducedMotion': 1,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

const firefoxEngine: Engine = {
  name: 'Firefox',
  ofCamera: refused,
  find: () => have(['firefox-esr'], firefox),
  start: async () => {
    const { folder, env, drop } = await ownFolder()
    const settings = Object.entries(firefoxSettings).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    )
    await writeFile(join(folder, 'user.js'), settings.join('\n'))
    const child = spawn(firefox() ?? '', ['--marionette', '--no-remote', '--profile', folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...env, MOZ_HEADLESS: '1', MOZ_CRASHREPORTER_DISABLE: '1' },
    })
    const send = await overMarionette(Number(await saidBy(child, 1, /Listening on port (\d+)/)))
    await send('newSession', { capabilities: {} })
    const page = await drive(send, viewports.tablet)
    return { ...page, close: () => end(child).then(drop) }
  },
}

const webKitEngine: Engine = {
  name: 'WebKitGTK',
  ofCamera: 'Aucune caméra n’a été trouvée',
  find: () => have(['webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'], webKitDriver, miniBrowser, xvfb),
  start: async () => {
    const { folder, env, drop } = await ownFolder()
    // GTK tells the page whether things may move.
    const gtk = join(folder, 'config', 'gtk-3.0')
    await mkdir(gtk, { recursive: true })
    await writeFile(join(gtk, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
    const screen = spawn(
      xvfb() ?? '',
      ['-displayfd', '3', '-screen', '0', '1200x1600x24', '-nolisten', 'tcp'],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    )
    const display = await saidBy(screen, 3, /(\d+)\n/)
    const port = await freePort()
    const driver = spawn(webKitDriver() ?? '', [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...env, DISPLAY: `:${display}`, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
    })
    const address = `http://127.0.0.1:${port}`
    await vi.waitFor(() => fetch(`${address}/status`), { timeout: 30_000 })
    const send = overHttp(address)
    const options = { binary: miniBrowser(), args: ['--automation'] }
    await send('newSession', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })
    const page = await drive(send, viewports.tablet)
    return {
      ...page,
      // The browser ends with the screen that it is on.
      close: async () => {
        await end(driver)
        await end(screen)
        await drop()
      },
    }
  },
}

const engines = [chromiumEngine, firefoxEngine, webKitEngine]

/** Each engine, and whether it can be had here: where it cannot, that is said, and its tests are not run. */
export async function findEngines(): Promise<(Engine & { isHere: boolean })[]> {
  const found = []
  // One after the other: packages are installed by one at a time.
  for (const engine of engines) {
    const isHere = await engine.find().then(
      () => true,
      (error: unknown) => {
        process.stderr.write(
          `${engine.name} n’est pas là : ses essais ne sont pas lancés (${String(error)})\n`,
        )
        return false
      },
    )
    found.push({ ...engine, isHere })
  }
  return found
}
