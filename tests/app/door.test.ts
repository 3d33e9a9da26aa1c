import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { beginSession, leaveSession } from '../../src/client/api/session.ts'
import { lockIfIdle, setIdleMinutes, unlock } from '../../src/client/lock/lock-state.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { takeEarlyKeys } from '../../src/client/scanner/typed-scan-listener.ts'
import { takeEarlySignIn } from '../../src/client/session/early-sign-in.ts'

// @vitest-environment happy-dom

const script = readFileSync('public/door.js', 'utf8')
const { dataset } = document.documentElement

const watches: MutationObserver[] = []
vi.stubGlobal(
  'MutationObserver',
  class extends MutationObserver {
    constructor(onChange: MutationCallback) {
      super(onChange)
      watches.push(this)
    }
  },
)

/** What the page's first picture is told by the script that runs before it. */
function openAt(address: string): { door: string | undefined; theme: string | undefined } {
  // The page before is gone.
  for (const watch of watches.splice(0)) watch.disconnect()
  history.replaceState(null, '', address)
  delete dataset['door']
  delete dataset['mantineColorScheme']
  runInThisContext(script)
  return { door: dataset['door'], theme: dataset['mantineColorScheme'] }
}

describe('the first picture of a page', () => {
  beforeEach(() => {
    leaveSession()
    setPreference('theme', 'auto')
  })

  it('is the sign until somebody is signed in, then the bar of the screens', () => {
    expect(openAt('/loanings').door).toBe('sign-in')
    beginSession('jeton-de-la-session', 1)
    expect(openAt('/loanings').door).toBe('bar')
    expect(openAt('/').door).toBe('bar')
  })

  it('stays the sign where the sign stands whoever is signed in', () => {
    beginSession('jeton-de-la-session', 1)
    for (const address of ['/login', '/login?token=a', '/reset/password', '/reset/password/abc'])
      expect(openAt(address).door).toBeUndefined()
  })

  it('is the sign under the lock', () => {
    beginSession('jeton-de-la-session', 1)
    setIdleMinutes(1)
    expect(lockIfIdle(Date.now() + 3 * 60_000)).toBe(true)
    expect(openAt('/loanings').door).toBeUndefined()
    unlock()
    expect(openAt('/loanings').door).toBe('bar')
  })

  it('is in the theme chosen for the device', () => {
    expect(openAt('/home').theme).toBe('light')
    setPreference('theme', 'dark')
    expect(openAt('/home').theme).toBe('dark')
    setPreference('theme', 'light')
    expect(openAt('/home').theme).toBe('light')
  })

  it('stands whatever the device kept', () => {
    localStorage.setItem('comptoir.preferences', '{')
    localStorage.setItem('comptoir.lock', 'null')
    expect(openAt('/home')).toEqual({ door: 'sign-in', theme: 'light' })
  })
})

describe('the fields of the sign-in page before it stands', () => {
  const [form = ''] = /<form id="sign-in"[^]*?<\/form>/.exec(readFileSync('index.html', 'utf8')) ?? []
  const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!

  beforeEach(() => {
    leaveSession()
    document.body.innerHTML = form
    takeEarlySignIn()
    document.body.innerHTML = form
  })

  it('give what was typed and sent, once, and leave the page', () => {
    openAt('/login')
    field('username').value = 'biblio'
    field('password').value = 'secret'
    field('password').focus()
    const sent = new Event('submit', { bubbles: true, cancelable: true })
    document.querySelector('form')?.dispatchEvent(sent)
    expect(sent.defaultPrevented).toBe(true)
    expect(takeEarlySignIn()).toEqual({
      username: 'biblio',
      password: 'secret',
      isAtPassword: true,
      isSent: true,
    })
    expect([document.querySelector('form'), takeEarlySignIn()]).toEqual([null, null])
  })

  it.each(['/login?token=a', '/reset/password', '/reset/password/abc', '/login/due', '/accessibility'])(
    'are not shown at %s, which asks for something else: they leave the page',
    async (address) => {
      document.body.innerHTML = ''
      expect([openAt(address).door, takeEarlySignIn()]).toEqual([undefined, null])
      document.body.innerHTML = form
      await vi.waitFor(() => expect(document.querySelector('form')).toBeNull())
    },
  )
})

describe('keys pressed before the page hears any', () => {
  const begun = 1_000
  /** As the browser tells it, `ms` after the script ran. */
  const press = (key: string, ms: number, how: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, ...how })
    Object.defineProperty(event, 'timeStamp', { value: begun + ms })
    // The page of the tests takes every Alt for AltGr.
    const isAltGraph = how.modifierAltGraph === true
    Object.defineProperty(event, 'getModifierState', {
      value: (of: string) => of === 'AltGraph' && isAltGraph,
    })
    document.body.dispatchEvent(event)
  }
  const told = () => takeEarlyKeys().map(({ key, at, follows }) => [key, at - begun, follows])

  beforeEach(() => {
    leaveSession()
    takeEarlyKeys()
    vi.spyOn(performance, 'now').mockReturnValue(begun)
  })
  afterEach(() => void vi.restoreAllMocks())

  it('are taken in their order with their times, whatever element hears them', () => {
    beginSession('jeton-de-la-session', 1)
    openAt('/home')
    document.body.addEventListener('keydown', (event) => event.stopPropagation(), { once: true })
    press('3', 90)
    press('A', 140, { shiftKey: true })
    press('Enter', 145)
    expect(told()).toEqual([
      ['3', 90, true],
      ['A', 140, false],
      ['Enter', 145, false],
    ])
  })

  it('are taken once, and from then on are the page’s alone', () => {
    beginSession('jeton-de-la-session', 1)
    openAt('/home')
    press('3', 5)
    expect(told()).toHaveLength(1)
    press('4', 10)
    expect(told()).toEqual([])
  })

  it('tell what is held down or composed, and a control sign from another key with Ctrl, but no sign that AltGr writes', () => {
    beginSession('jeton-de-la-session', 1)
    openAt('/home')
    press('a', 0, { repeat: true })
    press('é', 1, { isComposing: true })
    press('j', 2, { ctrlKey: true })
    press('@', 3, { ctrlKey: true, altKey: true })
    press('v', 4, { metaKey: true })
    press(']', 5, { ctrlKey: true, altKey: true, modifierAltGraph: true })
    expect(takeEarlyKeys()).toMatchObject([
      { repeat: true, composing: false, modified: false, control: false },
      { repeat: false, composing: true, modified: false, control: false },
      { modified: true, control: true },
      { modified: true, control: false },
      { modified: true, control: false },
      { key: ']', modified: false, control: false },
    ])
  })

  it('are kept of nobody who signs in or is locked out, for they may be a password', () => {
    openAt('/home')
    press('s', 5)
    expect(told()).toEqual([])
    beginSession('jeton-de-la-session', 1)
    openAt('/login')
    press('e', 5)
    expect(told()).toEqual([])
    setIdleMinutes(1)
    lockIfIdle(Date.now() + 3 * 60_000)
    openAt('/home')
    press('c', 5)
    unlock()
    expect(told()).toEqual([])
  })
})
