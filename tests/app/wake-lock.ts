import { vi } from 'vitest'

// A browser that can keep its screen lit, for pages that have none.

type Lock = { released: boolean; release(): Promise<void> }

let locks: Lock[] = []

/** How many locks keep the screen lit. */
export const lit = (): number => locks.filter(({ released }) => !released).length

const put = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, configurable: true })

/** Answers what is asked of it. */
export function stubWakeLock() {
  locks = []
  const request = vi.fn((_type: 'screen') => {
    const lock: Lock = {
      released: false,
      release: () => {
        lock.released = true
        return Promise.resolve()
      },
    }
    locks.push(lock)
    return Promise.resolve(lock)
  })
  put(navigator, 'wakeLock', { request })
  return request
}

export const removeWakeLock = (): void => void Reflect.deleteProperty(navigator, 'wakeLock')

/** The page is hidden, and the system takes its locks back, as browsers do; or it is seen again. */
export function setSeen(isSeen: boolean): void {
  put(document, 'visibilityState', isSeen ? 'visible' : 'hidden')
  if (!isSeen) for (const lock of locks) lock.released = true
  document.dispatchEvent(new Event('visibilitychange'))
}
