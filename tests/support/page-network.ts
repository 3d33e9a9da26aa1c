import { vi } from 'vitest'

import type { TestServer } from './test-server.ts'

/** Answers a page's calls; a test may put another one in its place. */
export type Network = (request: Request) => Promise<Response>

export type Device = { network: Network }

const underWay = new Set<Promise<unknown>>()

/** Makes a page's calls reach the real router. */
export function networkTo(server: TestServer): Network {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' ? undefined : await request.text()
    const answer = Promise.resolve(
      server.app.request(pathname + search, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        ...(body ? { body } : {}),
      }),
    )
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  }
}

export const noNetwork: Network = () => Promise.reject(new TypeError('Failed to fetch'))

let device: Device = { network: noNetwork }
let leaving = new AbortController()

/** The device that all calls of the page leave from; a page that was left has no network. */
export function putOnNetwork(network: Network): Device {
  device = { network }
  leaving = new AbortController()
  const mine = device
  const { signal } = leaving
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    Promise.race([mine.network(new Request(input, init)), failsAt(signal)]),
  )
  return device
}

const failsAt = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(pageLeft()), { once: true })
  })

/** Waits for answers under way, because the next test would begin in the middle of them. */
export const cutNetwork = (): Promise<void> => answerWith(noNetwork)

async function answerWith(network: Network): Promise<void> {
  device.network = network
  await Promise.allSettled(underWay)
}

/** As a page that is closed: what a test never answers is given up too, or what waits for it would wait in the next test. */
export async function leaveNetwork(): Promise<void> {
  await answerWith(() => Promise.reject(pageLeft()))
  leaving.abort()
}

/** Answers nothing to what a closed page asks once more: its failure would call the next page off line. */
export function forgetNetwork(): void {
  device.network = () => new Promise(() => undefined)
}

/** A call is not tried again after a time-out, and its second try would fall into the next test. */
const pageLeft = () => Object.assign(new Error('The page was left'), { name: 'TimeoutError' })
