import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDecoder } from '../../src/client/scanner/decoder.ts'

/** How each engine fares: `late` breaks at its first frame, `lost` is not even loaded. */
type Fate = 'runs' | 'broken' | 'lost' | 'late'
const fates: Record<string, Fate> = {}
const opened: string[] = []

class FakeWorker extends EventTarget {
  readonly #name: string

  constructor(address: URL) {
    super()
    this.#name = String(address).includes('decoder-js-worker') ? 'zxing-js' : 'zxing-wasm'
    opened.push(this.#name)
    queueMicrotask(() => {
      if (this.#fate === 'lost') this.dispatchEvent(new Event('error'))
      else this.#say({ kind: this.#fate === 'broken' ? 'broken' : 'ready' })
    })
  }

  get #fate(): Fate {
    return fates[this.#name] ?? 'runs'
  }

  postMessage({ id }: { id: number }): void {
    const read = { text: this.#name, symbology: 'code_128' }
    queueMicrotask(() => this.#say(this.#fate === 'late' ? { kind: 'broken' } : { kind: 'read', id, read }))
  }

  terminate(): void {}

  #say(data: object): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

class FakeBitmap {
  close(): void {}
}
const frame = new FakeBitmap() as ImageBitmap

beforeEach(() => {
  opened.length = 0
  Object.assign(fates, { 'zxing-wasm': 'runs', 'zxing-js': 'runs' })
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('ImageBitmap', FakeBitmap)
  vi.stubGlobal('createImageBitmap', (source: unknown) => Promise.resolve(source))
})
afterEach(() => vi.unstubAllGlobals())

describe('openDecoder', () => {
  it('opens zxing-wasm alone, also where the browser has a detector of its own', async () => {
    const getSupportedFormats = vi.fn<() => Promise<string[]>>()
    vi.stubGlobal('BarcodeDetector', { getSupportedFormats })
    const decoder = await openDecoder()
    expect((await decoder.read(frame, 'crop'))?.text).toBe('zxing-wasm')
    expect(opened).toEqual(['zxing-wasm'])
    expect(getSupportedFormats).not.toHaveBeenCalled()
  })

  it.each(['broken', 'lost'] as const)('opens zxing-js where zxing-wasm is %s', async (fate) => {
    fates['zxing-wasm'] = fate
    const decoder = await openDecoder()
    expect(decoder.engine).toBe('zxing-js')
    expect((await decoder.read(frame, 'tilted'))?.text).toBe('zxing-js')
  })

  it('goes over to zxing-js once when zxing-wasm breaks, whatever is being read', async () => {
    fates['zxing-wasm'] = 'late'
    const decoder = await openDecoder()
    expect(await Promise.all([decoder.read(frame, 'crop'), decoder.read(frame, 'photo')])).toEqual([
      null,
      null,
    ])
    expect((await decoder.read(frame, 'crop'))?.text).toBe('zxing-js')
    expect(opened).toEqual(['zxing-wasm', 'zxing-js'])
  })

  it('fails where neither runs', async () => {
    Object.assign(fates, { 'zxing-wasm': 'lost', 'zxing-js': 'broken' })
    await expect(openDecoder()).rejects.toThrow('no bar code engine runs in this browser')
  })

  it('fails once both have broken', async () => {
    Object.assign(fates, { 'zxing-wasm': 'late', 'zxing-js': 'late' })
    const decoder = await openDecoder()
    expect(await decoder.read(frame, 'crop')).toBeNull()
    await expect(decoder.read(frame, 'crop')).rejects.toThrow('zxing-js does not run here')
  })
})
