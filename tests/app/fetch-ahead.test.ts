// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fetchAhead } from '../../src/client/app/fetch-ahead.ts'
import { screens } from '../../src/client/app/screens.tsx'

type Router = Parameters<typeof fetchAhead>[0]
type Listener = Parameters<Router['subscribe']>[0]

const controlled = (isControlled: boolean) =>
  vi.stubGlobal('navigator', { serviceWorker: { controller: isControlled ? {} : null } })

/** A router that stands at an address, and what tells of it that it came to another. */
function standingAt(pathname: string) {
  let tell: Listener | undefined
  const state = (at: string, navigation: 'idle' | 'loading') =>
    ({ location: { pathname: at }, navigation: { state: navigation } }) as unknown as Router['state']
  const router: Router = {
    state: state(pathname, 'idle'),
    subscribe: (listener) => {
      tell = listener
      return () => (tell = undefined)
    },
  }
  const comeTo = (at: string, navigation: 'idle' | 'loading' = 'idle') =>
    tell?.(state(at, navigation), {} as Parameters<Listener>[1])
  return { router, comeTo }
}

describe('the screens that come next', () => {
  let fetched: string[]
  let stop: () => void = () => undefined

  beforeEach(() => {
    fetched = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
    for (const screen of screens) {
      vi.spyOn(screen, 'load').mockImplementation(() => {
        fetched.push(screen.path)
        return Promise.resolve({ default: () => null })
      })
    }
  })

  afterEach(() => {
    stop()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('are the form of a list once it is shown, fetched from the worker before anybody taps', () => {
    controlled(true)
    const { router, comeTo } = standingAt('/references')
    stop = fetchAhead(router)
    expect(fetched.filter((path) => path.startsWith('/references'))).toEqual(['/references/add'])
    comeTo('/beneficiaries', 'loading')
    expect(fetched).not.toContain('/beneficiaries/add')
    comeTo('/beneficiaries')
    expect(fetched).toContain('/beneficiaries/add')
  })

  it('are not fetched through the network for a list that is only looked at, nor for a page without a form', () => {
    controlled(false)
    const { router, comeTo } = standingAt('/references')
    stop = fetchAhead(router)
    expect(fetched).not.toContain('/references/add')
    controlled(true)
    comeTo('/settings')
    expect(fetched.filter((path) => path.startsWith('/settings'))).toEqual([])
  })
})
