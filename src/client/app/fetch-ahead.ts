import { matchPath } from 'react-router-dom'

import { currentConnection } from '../api/connection.ts'
import { currentSession } from '../api/session.ts'
import { screens } from './screens.tsx'

const fetchScreen = (pathname: string) => {
  // What cannot be fetched now may be remembered by the browser as not there.
  if (currentConnection() === 'offline') return
  screens
    .find(({ path }) => matchPath(path, pathname))
    ?.load()
    .catch(() => undefined)
}

/** Fetches a screen when its link is touched or focused, and the counter while somebody signs in. */
export function fetchAhead(): () => void {
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
    removeEventListener('pointerover', near)
    removeEventListener('focusin', near)
  }
}
