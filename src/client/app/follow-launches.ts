import { offeredAt, offerFiles } from '../../offline/offered-files.ts'

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
