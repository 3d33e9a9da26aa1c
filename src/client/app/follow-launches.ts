type Launched = { targetURL?: string }
type LaunchQueue = { setConsumer(take: (launched: Launched) => void): void }

/** What the icon alone opens, as the manifest says. */
const startPath = '/home'

/**
 * The installed application has one window (`launch_handler` of the manifest): what a shortcut or a link opens comes to it as an address.
 * The icon alone brings the window forward as it stands.
 */
export function followLaunches(open: (address: string) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    if (targetURL === undefined || targetURL === location.href) return
    const { pathname, search } = new URL(targetURL)
    if (pathname + search !== startPath) open(pathname + search)
  })
}
