import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'

/** What was asked to be read, and whether its frame was closed by then. */
let read: { pixels: FramePixels; isClosed: boolean }[] = []
let isClosed = false

vi.mock('../../src/client/scanner/decode-frame.ts', () => ({ warmDecodeFrame: () => Promise.resolve() }))
vi.mock('../../src/client/scanner/read-tile.ts', () => ({
  readTile: (pixels: FramePixels) => {
    read.push({ pixels, isClosed })
    return Promise.resolve([])
  },
}))

const canvases: FakeCanvas[] = []
let isBroken = false

class FakeCanvas {
  constructor(
    public width: number,
    public height: number,
  ) {
    canvases.push(this)
  }
  getContext(): object {
    return {
      canvas: this,
      drawImage: () => undefined,
      getImageData: (_x: number, _y: number, width: number, height: number) => {
        if (isBroken) throw new Error('no memory')
        return { data: new Uint8ClampedArray(4), width, height }
      },
    }
  }
}

const worker = new EventTarget()
const answers: { kind: string }[] = []

beforeAll(async () => {
  // Its canvas is the module's, which files of a worker share.
  vi.resetModules()
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal(
    'self',
    Object.assign(worker, { postMessage: (answer: { kind: string }) => answers.push(answer) }),
  )
  await import('../../src/client/scanner/shelf-worker.ts')
  await vi.waitFor(() => expect(answers.splice(0)).toEqual([{ kind: 'ready' }]))
})
afterAll(() => vi.unstubAllGlobals())

beforeEach(() => {
  read = []
  isClosed = false
})

const ask = async (frame: object): Promise<unknown> => {
  const data = { id: 7, frame, at: { x: 0, y: 0 }, picture: { width: 4032, height: 3024 }, effort: 'still' }
  worker.dispatchEvent(new MessageEvent('message', { data }))
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  return answers.pop()
}
const frameOf = (width: number, height: number) => ({
  width,
  height,
  close: () => {
    isClosed = true
  },
})

describe('the worker that reads shelves', () => {
  it('closes a frame before its pixels are read, and keeps no canvas as large as a photograph', async () => {
    expect(await ask(frameOf(2300, 1700))).toEqual({ kind: 'read', id: 7, read: [] })
    expect(read).toMatchObject([{ pixels: { width: 2300, height: 1700 }, isClosed: true }])
    expect(canvases).toMatchObject([{ width: 0, height: 0 }])
  })

  it('reads the next one on the same canvas, and keeps it for a film', async () => {
    for (let nth = 0; nth < 2; nth++) await ask(frameOf(1920, 1080))
    expect(canvases).toMatchObject([{ width: 1920, height: 1080 }])
  })

  it('takes pixels as they are', async () => {
    await ask({ data: new Uint8ClampedArray(4), width: 1, height: 1 })
    expect(read).toMatchObject([{ pixels: { width: 1, height: 1 } }])
  })

  it('closes a frame that has no pixels to give', async () => {
    isBroken = true
    expect(await ask(frameOf(100, 100))).toEqual({ kind: 'broken' })
    expect(isClosed).toBe(true)
  })
})
