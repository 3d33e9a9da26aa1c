import type { createRouter } from './router.tsx'

type Router = Pick<ReturnType<typeof createRouter>, 'state' | 'subscribe'>

/** A screen that is drawn over the one before it may keep its heading, and is waited for no longer. */
const mostMs = 400

/**
 * A new screen's heading gets the focus that was left in the menus, so that readers say it and the keyboard goes on
 * from there; what a screen focuses by itself keeps it.
 */
export function focusScreens(router: Router): () => void {
  let { pathname } = router.state.location
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = router.subscribe(({ location }) => {
    if (location.pathname === pathname) return
    pathname = location.pathname
    clearTimeout(timer)
    const before = heading()
    const since = Date.now()
    const look = () => {
      const now = heading()
      if (now === null || (now === before && Date.now() - since < mostMs)) timer = setTimeout(look, 50)
      else if (isLeft(document.activeElement)) focus(now)
    }
    timer = setTimeout(look)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

const heading = () => document.querySelector<HTMLElement>('main h1')

const isLeft = (active: Element | null): boolean =>
  active === null || active === document.body || active.matches(':is(header, nav) *')

function focus(heading: HTMLElement): void {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
