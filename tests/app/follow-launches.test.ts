// @vitest-environment happy-dom
import 'fake-indexeddb/auto'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { followLaunches } from '../../src/client/app/afterwards.tsx'
import { offeredFiles } from '../../src/offline/offered-files.ts'

type Launch = { targetURL?: string; files?: readonly { name: string; getFile(): Promise<File> }[] }

/** The installed application, as the system launches it. */
function install() {
  const open = vi.fn<(address: string) => void>()
  let launch: (launched: Launch) => void = () => undefined
  vi.stubGlobal('launchQueue', {
    setConsumer: (take: typeof launch) => {
      launch = take
    },
  })
  followLaunches(open)
  return { open, launch: (launched: Launch) => launch(launched) }
}
const at = (address: string) => new URL(address, location.href).href
const handleOf = (name: string, text: string) => ({
  name,
  getFile: () => Promise.resolve(new File([text], name)),
})

afterEach(() => void vi.unstubAllGlobals())

describe('followLaunches', () => {
  it('opens the address of a shortcut in the window that is there', () => {
    const { open, launch } = install()
    launch({ targetURL: at('/home?scanner=1') })
    launch({ targetURL: at('/loaning/add'), files: [] })
    expect(open.mock.calls).toEqual([['/home?scanner=1'], ['/loaning/add']])
  })

  it('leaves the window as it stands for the icon alone, and where it is there already', () => {
    const { open, launch } = install()
    launch({ targetURL: at('/home') })
    launch({ targetURL: location.href })
    launch({})
    expect(open).not.toHaveBeenCalled()
  })

  it('keeps the files that are opened with it for the screen that asks about them, and leads there', async () => {
    const { open, launch } = install()
    const gone = {
      name: 'ôtée.comptoir',
      getFile: () => Promise.reject(new DOMException('gone', 'NotFoundError')),
    }
    launch({ targetURL: at('/waiting'), files: [handleOf('file.comptoir', '{"a":1}'), gone] })
    await vi.waitFor(() => expect(open.mock.calls).toEqual([['/waiting']]))
    expect(await offeredFiles()).toMatchObject([
      { name: 'file.comptoir', text: '{"a":1}' },
      { name: 'ôtée.comptoir', text: null },
    ])
  })

  it('leads there although the device can keep nothing', async () => {
    const { open, launch } = install()
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('no', 'UnknownError')
      },
    })
    const { closeStore } = await import('../../src/offline/device-store.ts')
    await closeStore()
    launch({ targetURL: at('/waiting'), files: [handleOf('file.comptoir', '{}')] })
    await vi.waitFor(() => expect(open.mock.calls).toEqual([['/waiting']]))
  })

  it('is nothing where the browser launches nothing', () => {
    expect(() => followLaunches(() => undefined)).not.toThrow()
  })
})
