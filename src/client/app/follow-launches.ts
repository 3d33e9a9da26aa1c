import { offeredAt, offerFiles } from '../../offline/offered-files.ts'

type Handle = { name: string; getFile(): Promise<File> }
type Launched = { targetURL?: string; files?: readonly Handle[] }
type LaunchQueue = { setConsumer(take: (launched: Launched) => void): void }

/** What the icon alone opens, as the manifest says. */
const startPath = '/home'

/**
 * The installed application has one window (`launch_handler` of the manifest): what a shortcut or a link opens comes to it as an address,
 * a file that is opened with it (`file_handlers`) leads to the screen that asks about it. The icon alone brings the window forward as it
 * stands. What is launched before this is called waits for it.
 */
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
