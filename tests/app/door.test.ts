// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'

import { beforeEach, describe, expect, it } from 'vitest'

import { beginSession, endSession } from '../../src/client/api/session.ts'
import { lockIfIdle, setIdleMinutes, unlock } from '../../src/client/lock/lock-state.ts'
import { setPreference } from '../../src/client/page/preferences.ts'

const script = readFileSync('public/door.js', 'utf8')
const { dataset } = document.documentElement

/** What the page's first picture is told by the script that runs before it. */
function openAt(address: string): { door: string | undefined; theme: string | undefined } {
  history.replaceState(null, '', address)
  delete dataset['door']
  delete dataset['mantineColorScheme']
  runInThisContext(script)
  return { door: dataset['door'], theme: dataset['mantineColorScheme'] }
}

describe('the first picture of a page', () => {
  beforeEach(() => {
    endSession()
    setPreference('theme', 'auto')
  })

  it('is the sign until somebody is signed in, then the bar of the screens', () => {
    expect(openAt('/loanings').door).toBeUndefined()
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
    expect(openAt('/home')).toEqual({ door: undefined, theme: 'light' })
  })
})
