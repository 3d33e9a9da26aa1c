import { afterEach, describe, expect, it, vi } from 'vitest'

import { tellInventory, watchInventory } from '../../src/offline/inventory-news.ts'
import { newsChannel } from '../../src/offline/news-channel.ts'
import { tellSessionRefused, watchSessionRefused } from '../../src/offline/session-news.ts'

afterEach(() => vi.unstubAllGlobals())

describe('newsChannel', () => {
  it('tells every page, this one once', async () => {
    const { tell, watch } = newsChannel<number>('essai-1')
    const other = new BroadcastChannel('essai-1')
    const there: unknown[] = []
    other.addEventListener('message', ({ data }) => there.push(data))
    const heard: number[] = []
    watch((news) => heard.push(news))
    tell(1)
    tell(2)
    expect(heard).toEqual([1, 2])
    await expect.poll(() => there).toEqual([1, 2])
    expect(heard).toEqual([1, 2])
    other.close()
  })

  it('hears other pages while it watches, and not those of another name', async () => {
    const { watch } = newsChannel<number>('essai-2')
    const [elsewhere, stranger] = [newsChannel<number>('essai-2'), newsChannel<number>('essai-3')]
    const heard: number[] = []
    const stop = watch((news) => heard.push(news))
    stranger.tell(7)
    elsewhere.tell(1)
    await expect.poll(() => heard).toEqual([1])
    stop()
    const marker: number[] = []
    newsChannel<number>('essai-2').watch((news) => marker.push(news))
    elsewhere.tell(2)
    await expect.poll(() => marker).toEqual([2])
    expect(heard).toEqual([1])
  })

  it('opens one channel, which does not keep the process alive', () => {
    const opened: { unref: () => void; postMessage: (news: number) => void }[] = []
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        unref = vi.fn()
        postMessage = vi.fn()
        addEventListener = vi.fn()
        constructor() {
          opened.push(this)
        }
      },
    )
    const { tell, watch } = newsChannel<number>('essai-4')
    watch(() => undefined)
    watch(() => undefined)
    tell(1)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.unref).toHaveBeenCalledOnce()
    expect(opened[0]?.postMessage).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('does without other pages where the browser has no channels', () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const { tell, watch } = newsChannel<number>('essai-5')
    const heard: number[] = []
    watch((news) => heard.push(news))
    tell(1)
    expect(heard).toEqual([1])
  })

  it('takes a channel without unref, as browsers have it', () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage = vi.fn()
        addEventListener = vi.fn()
      },
    )
    const { tell, watch } = newsChannel<number>('essai-6')
    const heard: number[] = []
    watch((news) => heard.push(news))
    tell(1)
    expect(heard).toEqual([1])
  })
})

it('tellSessionRefused and tellInventory each reach those who watch for them', () => {
  const session = vi.fn()
  const inventory = vi.fn()
  const stops = [watchSessionRefused(session), watchInventory(inventory)]
  tellSessionRefused()
  tellInventory({ count: '1/7', to_send: true })
  stops.forEach((stop) => stop())
  tellSessionRefused()
  expect(session.mock.calls).toEqual([[]])
  expect(inventory.mock.calls).toEqual([[{ count: '1/7', to_send: true }]])
})
