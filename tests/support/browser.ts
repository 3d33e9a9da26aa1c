import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

import { installFromDebian } from './debian-packages.ts'

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

// `--no-sandbox` because tests also run as root; the rest keeps the browser from talking to anyone but us.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

let found: Promise<string> | undefined

/** A Chromium that is named, installed, in a package, of Debian or downloaded, in this order. */
export const findBrowser = (): Promise<string> => (found ??= lookForBrowser())

async function lookForBrowser(): Promise<string> {
  const named = process.env['CHROME_PATH']
  if (named) return named
  const installed = systemBrowsers.find((path) => existsSync(path))
  if (installed) return installed
  const attempts = [
    async () => (await import('@sparticuz/chromium')).default.executablePath(),
    async () => {
      await installFromDebian('chromium')
      return '/usr/bin/chromium'
    },
    async () => {
      execFileSync('npx', ['playwright-core', 'install', '--with-deps', 'chromium'], { stdio: 'ignore' })
      return chromium.executablePath()
    },
  ]
  for (const attempt of attempts) {
    try {
      const path = await attempt()
      execFileSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore' })
      return path
    } catch {
      // The next one.
    }
  }
  throw new Error('Aucun Chromium : installez-en un ou nommez-le par CHROME_PATH.')
}

export const viewports = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
} as const

export type Device = { context: BrowserContext; page: Page; errors: string[]; close(): Promise<void> }

type DeviceOptions = {
  viewport?: keyof typeof viewports
  args?: string[]
  colorScheme?: 'light' | 'dark'
  /** Profile kept by the caller, to be opened again. */
  profile?: string
  permissions?: string[]
  /** Without moving or fading things, for what is measured on a still page. */
  still?: boolean
  /** False where nothing is tried off line: a device that keeps the shell fetches its nine hundred files first. */
  keepsShell?: boolean
  /** In a browser of its own, because Chromium offers nothing to install to devices that share one. */
  isInstallable?: boolean
}

/** A device of its own; `errors` are its pages' exceptions and broken policies. */
export async function openDevice(address: string, options: DeviceOptions = {}): Promise<Device> {
  const {
    viewport = 'tablet',
    colorScheme = 'light',
    permissions = [],
    still = false,
    keepsShell = true,
  } = options
  const { context, close } = await openContext(options, {
    viewport: viewports[viewport],
    hasTouch: viewport === 'phone' || viewport === 'tablet',
    colorScheme,
    reducedMotion: still ? 'reduce' : 'no-preference',
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    baseURL: address,
    permissions,
    serviceWorkers: keepsShell ? 'allow' : 'block',
  })
  // What is waited for comes, and later where the machine is busy.
  context.setDefaultTimeout(90_000)
  const page = context.pages()[0] ?? (await context.newPage())
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR_/.test(message.text()))
      errors.push(message.text())
  })
  return { context, page, errors, close }
}

type Opened = { context: BrowserContext; close(): Promise<void> }

/** In a browser that devices share, each with nothing in it; or in one of its own, where it is started otherwise or kept. */
async function openContext(
  { profile, args, isInstallable = false }: DeviceOptions,
  looks: NonNullable<Parameters<Browser['newContext']>[0]>,
): Promise<Opened> {
  if (sharesBrowser && !isInstallable && profile === undefined && args === undefined) {
    const context = await (await sharedBrowser()).newContext(looks)
    return { context, close: () => context.close() }
  }
  const kept = profile ?? (await mkdtemp(join(tmpdir(), 'comptoir-profile-')))
  const context = await chromium.launchPersistentContext(kept, {
    ...looks,
    executablePath: await findBrowser(),
    headless: true,
    args: [...flags, ...(args ?? [])],
  })
  return {
    context,
    close: async () => {
      await context.close()
      if (profile === undefined) await rm(kept, { recursive: true, force: true })
    },
  }
}

/** Set for workers of vitest, whose end is the browser's too. */
const sharesBrowser = process.env['SHARED_BROWSER'] === '1'
let shared: Promise<Browser> | undefined

/** One for all of a worker's devices, because starting one takes as long as signing in; another where it died. */
async function sharedBrowser(): Promise<Browser> {
  const known = await shared
  if (known?.isConnected()) return known
  shared = findBrowser().then((executablePath) =>
    chromium.launch({ executablePath, headless: true, args: flags }),
  )
  return shared
}

/** Signs in as a person does; leads to wherever the person was heading, else to the counter. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Nom d’utilisateur').fill(username)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
}

const scannerKeyGapMs = 4

/**
 * Types as a scanner, every 4 ms and then Enter, at set times because a slow machine is no slow scanner; `pause` is made
 * once, before that sign.
 */
export async function typeAsScanner(
  page: Page,
  code: string,
  pause: { before: number; ms: number } = { before: code.length + 1, ms: 0 },
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const start = Date.now()
  const keys = Array.from(code, (key) => ({
    key,
    code: key === ' ' ? 'Space' : /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
    text: key,
  }))
  const all = [...keys, { key: 'Enter', code: 'Enter', text: '\r' }].map((key, at) => ({
    ...key,
    windowsVirtualKeyCode: key.text.toUpperCase().charCodeAt(0),
    timestamp: (start + at * scannerKeyGapMs + (at < pause.before ? 0 : pause.ms)) / 1000,
  }))
  const press = (events: typeof all) =>
    Promise.all(
      events.flatMap((event) => [
        session.send('Input.dispatchKeyEvent', { ...event, type: 'keyDown' }),
        session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' }),
      ]),
    )
  await press(all.slice(0, pause.before))
  await page.waitForTimeout(pause.ms)
  await press(all.slice(pause.before))
  await session.detach()
}

const keyCodes = { Enter: 13, Tab: 9 } as const
const afterScanMs = 1000

/** Presses a key a second after a scan, because a sooner one would be taken for its ending. */
export async function pressAfterScan(page: Page, pressed: 'Enter' | 'Tab' | 'Shift+Tab'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const key = pressed === 'Enter' ? 'Enter' : 'Tab'
  const event = {
    key,
    code: key,
    text: key === 'Enter' ? '\r' : '',
    modifiers: pressed === 'Shift+Tab' ? 8 : 0,
    windowsVirtualKeyCode: keyCodes[key],
    timestamp: (Date.now() + afterScanMs) / 1000,
  }
  await session.send('Input.dispatchKeyEvent', { ...event, type: key === 'Enter' ? 'keyDown' : 'rawKeyDown' })
  await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
  await session.detach()
}
