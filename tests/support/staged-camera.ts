import type { Page } from 'playwright-core'

import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'
import type { Symbology } from '../../src/domain/bar-code.ts'
import { drawBarCode } from './fake-camera.ts'

/** What the page under test is made to see of its camera. */
type Stage = {
  /** Name of the error that asking for a camera gives, or null. */
  failing: string | null
  /** Whether only a camera asked for by its id fails. */
  failsExactly: boolean
  /** What each applyConstraints asked for beside the size. */
  applied: Record<string, unknown>[]
  /** Ids of the cameras opened, in order; `canvas` for the drawn one. */
  opened: string[]
  track: MediaStreamTrack | null
  /** Shows grey pixels in the middle of a picture of that size, from now on in place of the fake device's. */
  show(label: { data: number[]; width: number; height: number }, width: number, height: number): void
}

declare global {
  interface Window {
    stage: Stage
  }
}

/** Gives a page's camera errors, lamp, zoom, focus and any pictures, which Chromium's fake device lacks. */
export async function stageCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let canvas: HTMLCanvasElement | null = null
    let paint = (): void => undefined
    const stage: Stage = {
      failing: null,
      failsExactly: false,
      applied: [],
      opened: [],
      track: null,
      show(label, width, height) {
        canvas ??= document.createElement('canvas')
        const drawn = canvas
        paint = () => {
          if (drawn.width !== width) drawn.width = width
          if (drawn.height !== height) drawn.height = height
          const context = drawn.getContext('2d')
          const image = new ImageData(label.width, label.height)
          for (const [at, grey] of label.data.entries()) image.data.set([grey, grey, grey, 255], at * 4)
          if (!context) return
          context.fillStyle = '#c8c8c8'
          context.fillRect(0, 0, width, height)
          context.putImageData(image, (width - label.width) >> 1, (height - label.height) >> 1)
        }
        paint()
      },
    }
    window.stage = stage
    // A still canvas gives no frames.
    setInterval(() => paint(), 100)

    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wishes) => {
      const video = wishes?.video
      const isExact = typeof video === 'object' && video.deviceId !== undefined
      if (stage.failing !== null && (isExact || !stage.failsExactly))
        throw new DOMException('staged', stage.failing)
      const stream = canvas === null ? await real(wishes) : canvas.captureStream(10)
      stage.track = stream.getVideoTracks()[0] ?? null
      stage.opened.push(canvas === null ? (stage.track?.getSettings().deviceId ?? '') : 'canvas')
      return stream
    }
    const able = MediaStreamTrack.prototype.getCapabilities
    MediaStreamTrack.prototype.getCapabilities = function () {
      return Object.assign(able.call(this), {
        torch: true,
        zoom: { min: 1, max: 4, step: 0.5 },
        focusMode: ['manual', 'continuous'],
      })
    }
    MediaStreamTrack.prototype.applyConstraints = function (wishes) {
      stage.applied.push(Object.assign({}, ...(wishes?.advanced ?? [])) as Record<string, unknown>)
      return Promise.resolve()
    }
  })
}

/** Shows a drawn picture, whole, to the staged camera. */
export async function showPicture(page: Page, { data, width, height }: FramePixels): Promise<void> {
  const grey = Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 0)
  await page.evaluate((label) => window.stage.show(label, label.width, label.height), {
    data: grey,
    width,
    height,
  })
}

/** Holds a bar code before the staged camera, on its side or upright, until the next one. */
export async function holdBefore(
  page: Page,
  code: string,
  { width, height }: { width: number; height: number },
  format: Symbology = 'code_128',
): Promise<void> {
  const { data, ...size } = await drawBarCode(code, format, 3)
  const label = { data: Array.from(data), ...size }
  await page.evaluate(([shown, w, h]) => window.stage.show(shown, w, h), [label, width, height] as const)
}

/** Whether the page is seen, as the browser would tell it. */
export async function setSeen(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isSeen ? 'visible' : 'hidden',
  )
}
