// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Shortcuts } from '../../src/client/app/shortcuts.tsx'
import { setPreference } from '../../src/client/page/preferences.ts'
import { beginSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import type { Right } from '../../src/domain/rights.ts'

let clock = 1000
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  leaveSession()
  setPreference('lone_keys', true)
  vi.useRealTimers()
})

function Address() {
  return <p>{useLocation().pathname}</p>
}

/** The keys, and what they open where no screen stands behind it. */
function Keys() {
  const [isFinding, setFinding] = useState(false)
  return (
    <>
      <Shortcuts onFind={() => setFinding(true)} />
      {isFinding ? <p>Recherche partout</p> : null}
    </>
  )
}

function open(rights: Right[], children?: React.ReactNode) {
  beginSession('token', 1)
  rememberUser({ rights } as Parameters<typeof rememberUser>[0])
  render(
    <MantineProvider env="test">
      <MemoryRouter initialEntries={['/loanings']}>
        <main>
          <input type="search" aria-label="Rechercher" />
        </main>
        {children}
        <Address />
        <Keys />
      </MemoryRouter>
    </MantineProvider>,
  )
}

/** Presses a key with Alt or Ctrl where the focus is. */
function pressWith(held: 'altKey' | 'ctrlKey', key: string) {
  const event = new KeyboardEvent('keydown', { key, [held]: true, bubbles: true, cancelable: true })
  fireEvent(document.activeElement ?? document.body, event)
}

/** Presses keys one after the other, so many milliseconds apart. */
function press(keys: string[], gap = 20, shiftKey = false) {
  clock += 1000
  for (const key of keys) {
    clock += gap
    const event = new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: clock })
    fireEvent(document.body, event)
    act(() => void vi.advanceTimersByTime(gap))
  }
  act(() => void vi.advanceTimersByTime(1000))
}

const all: Right[] = ['LOANING_ADD', 'LOANING_RETURN']

describe('shortcuts', () => {
  it('lead to lending and taking back, and to the search on a French keyboard too', () => {
    open(all)
    press(['/'], 20, true)
    expect(document.activeElement).toBe(screen.getByLabelText('Rechercher'))
    press(['p'])
    expect(screen.getByText('/loaning/add')).toBeTruthy()
    press(['r'])
    expect(screen.getByText('/loaning/return')).toBeTruthy()
  })

  it('are not heard in a code that a scanner types', () => {
    open(all)
    press([...Array.from('p123r45r'), 'Enter'])
    press(Array.from('12p'))
    // With Caps Lock on, sign by sign.
    press(Array.from('PR45'), 300)
    expect(screen.getByText('/loanings')).toBeTruthy()
  })

  it('are not heard under a dialog, but are once it is closed', () => {
    open(all, <div role="dialog" aria-label="Question" />)
    press(['p'])
    expect(screen.getByText('/loanings')).toBeTruthy()
    screen.getByRole('dialog').style.display = 'none'
    press(['p'])
    expect(screen.getByText('/loaning/add')).toBeTruthy()
  })

  it('lead nowhere without the right', () => {
    open([])
    press(['p'])
    press(['r'])
    expect(screen.getByText('/loanings')).toBeTruthy()
  })

  it('work in a field with Alt, and Ctrl+K opens the search of anything there too', () => {
    open(all)
    screen.getByLabelText('Rechercher').focus()
    pressWith('ctrlKey', 'k')
    expect(screen.getByText('Recherche partout')).toBeTruthy()
    pressWith('altKey', 'p')
    expect(screen.getByText('/loaning/add')).toBeTruthy()
    pressWith('altKey', 'r')
    expect(screen.getByText('/loaning/return')).toBeTruthy()
  })

  it('are switched off alone where the device says so, and stay with Alt', () => {
    setPreference('lone_keys', false)
    open(all)
    press(['p'])
    press(['/'], 20, true)
    expect(screen.getByText('/loanings')).toBeTruthy()
    expect(document.activeElement).toBe(document.body)
    pressWith('altKey', 'p')
    expect(screen.getByText('/loaning/add')).toBeTruthy()
  })

  it('open nothing over a dialog', () => {
    open(all, <div role="dialog" aria-label="Question" />)
    pressWith('ctrlKey', 'k')
    pressWith('altKey', 'p')
    expect(screen.queryByText('Recherche partout')).toBeNull()
    expect(screen.getByText('/loanings')).toBeTruthy()
  })
})
