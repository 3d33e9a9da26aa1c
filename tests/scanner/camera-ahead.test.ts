// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { askForCamera, takeStream } from '../../src/client/scanner/camera-ahead.ts'
import { useCameraAddress } from '../../src/client/scanner/use-camera-address.ts'

const stop = vi.fn<() => void>()
const stream = { getTracks: () => [{ stop }] } as unknown as MediaStream
const getUserMedia = vi.fn<(wishes: MediaStreamConstraints) => Promise<MediaStream>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('isSecureContext', true)
  localStorage.clear()
  getUserMedia.mockReset().mockResolvedValue(stream)
  stop.mockReset()
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
})
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(20_000)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

describe('a camera asked for by the tap', () => {
  it('is asked for in the tap itself, and is the one that the panel takes', async () => {
    askForCamera()
    expect(getUserMedia).toHaveBeenCalledTimes(1)
    expect(await takeStream()).toBe(stream)
    expect(getUserMedia).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(stop).not.toHaveBeenCalled()
  })

  it.each(['/home', '/calendar'])('is asked for before the panel of %s is loaded', (screen) => {
    const { result, unmount } = renderHook(() => useCameraAddress(), { wrapper: MemoryRouter })
    act(() => {
      result.current.open(screen)
      expect(getUserMedia).toHaveBeenCalledTimes(1)
    })
    expect(result.current.isOpen).toBe(true)
    unmount()
  })

  it('is asked for once by two taps, and again by who comes after the panel', async () => {
    askForCamera()
    askForCamera()
    await takeStream()
    await takeStream()
    expect(getUserMedia).toHaveBeenCalledTimes(2)
  })

  it('goes out after ten seconds where no panel takes it', async () => {
    askForCamera()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(stop).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('goes out also where it is allowed later than that', async () => {
    let allow: (one: MediaStream) => void = () => undefined
    getUserMedia.mockReturnValue(new Promise((resolve) => (allow = resolve)))
    askForCamera()
    await vi.advanceTimersByTimeAsync(15_000)
    allow(stream)
    await vi.advanceTimersByTimeAsync(0)
    expect(stop).toHaveBeenCalledTimes(1)
  })

  it('is the remembered one, else one that faces away', async () => {
    localStorage.setItem('comptoir.camera', 'back')
    getUserMedia.mockRejectedValueOnce(new DOMException('', 'OverconstrainedError'))
    askForCamera()
    expect(await takeStream()).toBe(stream)
    expect(getUserMedia.mock.calls.map(([{ video }]) => video)).toMatchObject([
      { deviceId: { exact: 'back' } },
      { facingMode: { ideal: 'environment' } },
    ])
  })

  it('is not asked for where the panel will only say that the address is not secure', () => {
    vi.stubGlobal('isSecureContext', false)
    askForCamera()
    expect(getUserMedia).not.toHaveBeenCalled()
  })

  it('says to the panel why there is none', async () => {
    getUserMedia.mockRejectedValue(new DOMException('', 'NotAllowedError'))
    askForCamera()
    await vi.advanceTimersByTimeAsync(5)
    await expect(takeStream()).rejects.toThrow(expect.objectContaining({ name: 'NotAllowedError' }))
  })
})
