import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import type { DecodeMode } from '../../src/client/scanner/frame-modes.ts'
import { openCounter } from '../support/counter.ts'
import type { Pixels } from '../scanner/read-png.ts'
import { photograph, printLabel, turned } from '../scanner/tilted-label.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { playing } from '../support/fake-camera.ts'
import { administratorPassword, openBenchLibrary } from './scale/bench-library.ts'
import { startServer } from './server-process.ts'
import { inMs, median, quantile, type Table } from './section.ts'

const wanted = 160

/** Times the shipped page and worker in Chromium, for a camera that shows `frame` and never a code. */
export async function timeCamera(frame: Pixels): Promise<Table> {
  return withCamera(frame, async ({ page, context }) => {
    await page.addInitScript(watchFrames)
    await page.goto('/home?scanner=1')
    const frames = (count: number) =>
      page.waitForFunction((least) => (globalThis as unknown as Watched).frames.length >= least, count, {
        timeout: 120_000,
      })
    // The first ones find nothing warm.
    await frames(20)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const before = await scriptMs()
    await frames(20 + wanted)
    const perFrame = ((await scriptMs()) - before) / wanted
    return tableOf(frame, await framesOf(page), perFrame)

    async function scriptMs(): Promise<number> {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN) * 1000
    }
  })
}

const taps = 12

/** From the tap on « Scanner » to the camera's first picture and to the first code, page loaded anew each time. */
export async function timeFirstScan(): Promise<Table> {
  const times: { picture: number[]; read: number[] } = { picture: [], read: [] }
  const label = turned(await printLabel('code_128', 'BIB-000123'), 30)
  await withCamera(photograph(label, { width: 1280, height: 720 }), async ({ page }) => {
    await page.addInitScript(watchFirstScan)
    for (let tap = 0; tap < taps; tap++) {
      await page.goto('/home')
      await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Scanner' }).click()
      const first = await page.waitForFunction(
        () => {
          const { tapped, picture, read } = (globalThis as unknown as WatchedScan).firstScan
          return picture && read ? { picture: picture - tapped, read: read - tapped } : null
        },
        undefined,
        { timeout: 60_000 },
      )
      const { picture, read } = (await first.jsonValue()) ?? { picture: NaN, read: NaN }
      times.picture.push(picture)
      times.read.push(read)
    }
  })
  const row = (name: string, values: number[]) => [
    name,
    `${inMs(median(values))} ms`,
    `${inMs(quantile(values, 0.95))} ms`,
  ]
  return {
    title: 'Scanner in Chromium, from the tap that opens it',
    notes: [`${taps} taps on pages just loaded; the camera is software and holds a Code 128 tilted by 30°.`],
    columns: ['to', 'p50', 'p95'],
    rows: [row('the first picture', times.picture), row('the first code', times.read)],
  }
}

type WatchedScan = { firstScan: { tapped: number; picture: number; read: number } }

/** Notes when the page was last tapped, when a picture of the camera was first shown and when a worker gave a code. */
function watchFirstScan(): void {
  const firstScan = { tapped: 0, picture: 0, read: 0 }
  Object.assign(globalThis, { firstScan })
  addEventListener('click', () => (firstScan.tapped = performance.now()), true)
  document.addEventListener(
    'loadeddata',
    ({ target }) => {
      if (target instanceof HTMLVideoElement) firstScan.picture ||= performance.now()
    },
    true,
  )
  const Real = Worker
  globalThis.Worker = class extends Real {
    constructor(...made: ConstructorParameters<typeof Worker>) {
      super(...made)
      this.addEventListener('message', ({ data }: MessageEvent<{ read?: unknown }>) => {
        if (data.read) firstScan.read ||= performance.now()
      })
    }
  }
}

/** Opens the built product on a phone whose camera shows `frame`. */
async function withCamera<T>(frame: Pixels, use: (device: Device) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'comptoir-camera-'))
  const film = join(folder, 'film.y4m')
  await writeFile(film, filmOf(frame))
  const library = await openBenchLibrary('embedded', {
    references: 100,
    copies: 200,
    beneficiaries: 50,
    loans: 30,
  })
  await library.environment.close()
  const server = await startServer(library)
  const device = await openDevice(server.address, {
    still: true,
    viewport: 'phone',
    permissions: ['camera'],
    args: playing(film),
  })
  try {
    const { page } = device
    await page.addInitScript('globalThis.__name = (target) => target')
    await signIn(page, 'admin', administratorPassword)
    await openCounter(page, 'Site principal')
    return await use(device)
  } finally {
    await device.close()
    await server.stop()
    await library.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Watched = { frames: { mode: DecodeMode; ms: number }[] }

/** Notes, for each frame given to the decoding worker, how long its answer took. */
function watchFrames(): void {
  const frames: Watched['frames'] = []
  Object.assign(globalThis, { frames })
  const given = new Map<number, { mode: DecodeMode; at: number }>()
  // oxlint-disable-next-line typescript/unbound-method -- called with the worker as its `this`
  const send = Worker.prototype.postMessage as (this: Worker, ...sent: unknown[]) => void
  const watched = new WeakSet<Worker>()
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    const { id, mode } = sent[0] as { id: number; mode: DecodeMode }
    if (mode !== undefined) given.set(id, { mode, at: performance.now() })
    if (!watched.has(this)) {
      watched.add(this)
      this.addEventListener('message', ({ data }: MessageEvent<{ kind: string; id: number }>) => {
        const one = given.get(data.id)
        if (data.kind === 'read' && one) frames.push({ mode: one.mode, ms: performance.now() - one.at })
      })
    }
    send.apply(this, sent)
  } as typeof Worker.prototype.postMessage
}

const framesOf = (page: Page): Promise<Watched['frames']> =>
  page.evaluate(() => (globalThis as unknown as Watched).frames.slice(20))

function tableOf({ width, height }: Pixels, frames: Watched['frames'], perFrame: number): Table {
  const modes = [...new Set(frames.map(({ mode }) => mode))]
  return {
    title: `Scanner in Chromium, camera of ${width} × ${height} without a code`,
    notes: [
      'From giving the frame away to its answer. The camera is software too, and shares the processors.',
      `The page runs ${perFrame.toFixed(2)} ms of script for each frame.`,
    ],
    columns: ['frame', 'how many', 'median', 'p95'],
    rows: modes.map((mode) => {
      const times = frames.filter((one) => one.mode === mode).map(({ ms }) => ms)
      return [mode, String(times.length), `${inMs(median(times))} ms`, `${inMs(quantile(times, 0.95))} ms`]
    }),
  }
}

/** One second of a still picture in grey, as Chromium's fake camera plays it over and over. */
function filmOf({ data, width, height }: Pixels): Buffer {
  const picture = Buffer.alloc((width * height * 3) / 2, 128)
  for (let at = 0; at < width * height; at += 1) picture[at] = data[at * 4] ?? 0
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F30:1 Ip A1:1 C420jpeg\n`)
  return Buffer.concat([
    head,
    ...Array.from({ length: 30 }, () => Buffer.concat([Buffer.from('FRAME\n'), picture])),
  ])
}
