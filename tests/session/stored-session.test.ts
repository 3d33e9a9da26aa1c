// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const open = async () => {
  vi.resetModules()
  return import('../../src/client/api/session.ts')
}

describe('a stored session', () => {
  it('is there from a page’s first moment, with the profile by which this tab is seen', async () => {
    localStorage.setItem('token', 'jeton')
    localStorage.setItem('user', JSON.stringify({ id: 3, rights: ['LIST_LOANINGS'] }))
    sessionStorage.setItem('seen_as', JSON.stringify({ name: 'Bénévole', rights: [] }))
    const { currentSession, leaveSession } = await open()
    expect(currentSession()).toMatchObject({ token: 'jeton', user: { id: 3 }, seen_as: { name: 'Bénévole' } })
    leaveSession()
    expect(sessionStorage.getItem('seen_as')).toBeNull()
  })

  it('calls the site by the name that it has now', async () => {
    localStorage.setItem('token', 'jeton')
    localStorage.setItem('user', JSON.stringify({ id: 3, sites: [{ id: 2, name: 'Nord' }] }))
    sessionStorage.setItem('site_id', '2')
    sessionStorage.setItem('site_name', 'Annexe')
    expect((await open()).currentSession()?.site).toEqual({ id: 2, name: 'Nord' })
  })

  it('does without what cannot be read', async () => {
    localStorage.setItem('token', 'jeton')
    localStorage.setItem('user', '{')
    sessionStorage.setItem('seen_as', '{')
    expect((await open()).currentSession()).toMatchObject({ user: null, seen_as: null })
  })
})
