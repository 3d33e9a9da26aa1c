import { matchPath } from 'react-router-dom'

import { currentConnection } from '../api/connection.ts'
import { currentSession } from '../api/session.ts'
import type { createRouter } from './router.tsx'
import { screens } from './screens.tsx'

const fetchScreen = (pathname: string) => {
  // What cannot be fetched now may be remembered by the browser as not there.
  if (currentConnection() === 'offline') return
  screens
    .find(({ path }) => matchPath(path, pathname))
    ?.load()
    .catch(() => undefined)
}

/** The form that adds to a list is ready before it is tapped, where the worker keeps it on the device. */
const fetchForm = (pathname: string) => {
  if (!navigator.serviceWorker?.controller) return
  const form = screens.find(({ path }) => path === `${pathname}/add`)
  globalThis.requestIdleCallback?.(() => void form?.load().catch(() => undefined))
}

type Router = Pick<ReturnType<typeof createRouter>, 'state' | 'subscribe'>

/** Fetches a screen when its link is touched or focused, a list’s form, and the counter while somebody signs in. */
export function fetchAhead(router: Router): () => void {
  fetchForm(router.state.location.pathname)
  const leave = router.subscribe(({ location: { pathname }, navigation }) => {
    if (navigation.state === 'idle') fetchForm(pathname)
  })
  const near = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link && link.origin === location.origin) fetchScreen(link.pathname)
  }
  addEventListener('pointerover', near, { passive: true })
  addEventListener('focusin', near)
  if (currentSession() === null) {
    fetchScreen('/home')
    import('./signed-in-frame.tsx').catch(() => undefined)
  }
  return () => {
    leave()
    removeEventListener('pointerover', near)
    removeEventListener('focusin', near)
  }
}
