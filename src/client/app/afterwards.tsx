import { useEffect } from 'react'

import './print.css'

import MessageArea from '../ui/message-area.tsx'
import { leaveOldSteps } from '../ui/dialogs/use-back-closes.ts'
import { fetchAhead } from './fetch-ahead.ts'
import type { createRouter } from './router.tsx'
import UpdatePrompt from './update-prompt.tsx'
import { offeredAt, offerFiles } from '../../offline/offered-files.ts'

/** Loads what the first screen does not need: messages, new versions, launches, the next screens. */
export default function Afterwards({ router }: { router: ReturnType<typeof createRouter> }) {
  useEffect(() => followLaunches((address) => void router.navigate(address)), [router])
  useEffect(() => fetchAhead(router), [router])
  useEffect(() => focusScreens(router), [router])
  useEffect(() => leaveOldSteps(router), [router])
  return (
    <>
      <MessageArea />
      <UpdatePrompt />
    </>
  )
}

type Handle = { name: string; getFile(): Promise<File> }
type Launched = { targetURL?: string; files?: readonly Handle[] }
type LaunchQueue = { setConsumer(take: (launched: Launched) => void): void }

/** What the icon alone opens, as the manifest says. */
const startPath = '/home'

/** Shortcuts, links and files open in the one window (`launch_handler`), even those launched before. */
export function followLaunches(open: (address: string) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL, files = [] }) => {
    if (files.length > 0) {
      void offer(files).then(() => open(offeredAt))
      return
    }
    if (targetURL === undefined || targetURL === location.href) return
    const { pathname, search } = new URL(targetURL)
    if (pathname + search !== startPath) open(pathname + search)
  })
}

/** A store that cannot be written is said by the screen that is opened then. */
const offer = (handles: readonly Handle[]): Promise<void> =>
  Promise.all(handles.map((handle) => handle.getFile().catch(() => unreadable(handle.name))))
    .then((files) => offerFiles(files))
    .catch(() => undefined)

const unreadable = (name: string) => ({ name, size: 0, text: () => Promise.reject(new Error('unread')) })

type Router = Pick<ReturnType<typeof createRouter>, 'state' | 'subscribe'>

/** A screen that is drawn over the one before it may keep its heading, and is waited for no longer. */
const mostMs = 400

/**
 * A new screen's heading gets the focus that was left in the menus, so that readers say it and the keyboard goes on
 * from there; what a screen focuses by itself keeps it.
 */
function focusScreens(router: Router): () => void {
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
