// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { beginSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import {
  currentOwner,
  keepDraft,
  leaveNoDraft,
  sweepDrafts,
  takeDraft,
} from '../../src/client/ui/forms/drafts.ts'
import type { CurrentUser } from '../../src/contract/session.ts'

const about = 'beneficiaries.change {"id":2}'

function signIn(id: number): string {
  beginSession('jeton', 1)
  rememberUser({ id, rights: [] } as unknown as CurrentUser)
  return currentOwner() ?? ''
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
  leaveSession()
})

describe('what was typed when a session ended', () => {
  it('is on the device, and given back once to its person', () => {
    const [one, other] = [signIn(2), signIn(1)]
    keepDraft({ about, person: one, changed: { phone: '0639980000' } })
    expect(takeDraft(about, other)).toBeNull()
    expect(takeDraft('another form', one)).toBeNull()
    expect(takeDraft(about, one)).toEqual({ phone: '0639980000' })
    expect(takeDraft(about, one)).toBeNull()
    expect(localStorage.getItem('drafts')).toBeNull()
  })

  it('is gone after an hour', () => {
    const person = signIn(1)
    keepDraft({ about, person, changed: { phone: '0639980000' } })
    vi.setSystemTime(Date.now() + 61 * 60_000)
    expect(takeDraft(about, person)).toBeNull()
    expect(localStorage.getItem('drafts')).toBeNull()
  })

  it('leaves the device after its hour though no form opens, in the page it was typed in and in one that starts', () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const person = signIn(1)
    keepDraft({ about, person, changed: { phone: '1' } })
    vi.advanceTimersByTime(30 * 60_000)
    keepDraft({ about: 'later', person, changed: { phone: '2' } })
    vi.advanceTimersByTime(31 * 60_000)
    expect(localStorage.getItem('drafts')).not.toContain(about)
    expect(localStorage.getItem('drafts')).toContain('later')
    vi.advanceTimersByTime(30 * 60_000)
    expect(localStorage.getItem('drafts')).toBeNull()

    const old = { about, person, at: Date.now() - 61 * 60_000, changed: { phone: '3' } }
    localStorage.setItem('drafts', JSON.stringify([old]))
    sweepDrafts()
    expect(localStorage.getItem('drafts')).toBeNull()
  })

  it('is not kept of whoever signs out by choice, and stays of the others', () => {
    const [other, person] = [signIn(2), signIn(1)]
    keepDraft({ about, person: other, changed: { phone: '1' } })
    keepDraft({ about, person, changed: { phone: '2' } })
    leaveNoDraft()
    leaveSession()
    // Another tab hears of it once its form is gone.
    keepDraft({ about: 'elsewhere', person, changed: { phone: '3' } })
    signIn(1)
    expect(takeDraft(about, person)).toBeNull()
    expect(takeDraft('elsewhere', person)).toBeNull()
    expect(takeDraft(about, other)).toEqual({ phone: '1' })
    keepDraft({ about, person, changed: { phone: '4' } })
    expect(takeDraft(about, person)).toEqual({ phone: '4' })
  })

  it('is written without what cannot be, which lasts as long as the page', () => {
    const person = signIn(1)
    const image = new File(['x'], 'a.png')
    keepDraft({ about, person, changed: { name: 'Zola', image, rows: [{ value: image }] } })
    expect(localStorage.getItem('drafts')).toContain('Zola')
    expect(localStorage.getItem('drafts')).not.toContain('image')
    expect(takeDraft(about, person)).toEqual({ name: 'Zola', image, rows: [{ value: image }] })
  })
})
