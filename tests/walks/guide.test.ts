import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { knownCopies, knownReader } from '../../src/server/demonstration/known-codes.ts'
import { demonstrationAccounts } from '../../src/server/session/demonstration-accounts.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { drawShelf, photographOf } from '../support/draw-shelf.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { untilStill } from '../support/watch-page.ts'
import { becomeReadyForOffline, openCounter, scan, scanBox } from '../support/counter.ts'
import {
  chapters,
  filesOfGuide,
  guideFolder,
  type Passage,
  passagesOf,
  picturesKept,
} from './guide-passages.ts'

// The guide speaks of screens that are there, in their words; GUIDE_PICTURES=1 takes its pictures on the way.

const takesPictures = process.env['GUIDE_PICTURES'] === '1'
const mostBytes = 150 * 1024
const passages = chapters().flatMap(passagesOf)

describe('the guide', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer({ isNew: true, args: ['--demo'] })
    device = await openDevice(server.address, { viewport: 'desktop', still: true, isInstallable: true })
    page = device.page
    // A loan in the making asks before it is left.
    page.on('dialog', (dialog) => void dialog.accept())
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it('has each of its pages in its table, and each picture on a page', () => {
    expect(filesOfGuide().sort()).toEqual([...chapters(), 'README.md'].sort())
    if (!takesPictures)
      expect(picturesKept().sort()).toEqual(passages.flatMap(({ pictures }) => pictures).sort())
  })

  it.each(chapters())('quotes in %s what its screens say', async (chapter) => {
    for (const passage of passagesOf(chapter)) await readOnScreen(passage)
  })

  it('shows pictures that travel fast', async () => {
    for (const name of picturesKept()) {
      const { size } = await stat(join(guideFolder, 'pictures', name))
      expect([name, size < mostBytes]).toEqual([name, true])
    }
  })

  it('is read in the product, from the help of any screen, on a phone too', async () => {
    await page.goto('/loanings')
    await page.getByRole('button', { name: 'Aide' }).click()
    const [guide] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: /^Le guide/ }).click(),
    ])
    await guide.getByRole('heading', { level: 1, name: 'Le guide de Comptoir' }).waitFor()
    await guide.setViewportSize(viewports.phone)
    await guide.goto('/guide')
    expect(new URL(guide.url()).pathname).toBe('/guide/index.html')
    const links = guide.getByRole('main').getByRole('link')
    expect(await links.count()).toBe(chapters().length)
    const overflows: string[] = []
    const brokenPictures: string[] = []
    await guide.goto(`/guide/${await links.first().getAttribute('href')}`)
    for (let read = 1; ; read++) {
      await guide.getByRole('heading', { level: 1 }).waitFor()
      const { width, broken } = await guide.evaluate(async () => {
        const pictures = [...document.images]
        for (const one of pictures) one.loading = 'eager'
        await Promise.all(pictures.map((one) => one.decode().catch(() => undefined)))
        return {
          width: document.documentElement.scrollWidth,
          broken: pictures.filter((one) => one.naturalWidth === 0).map(({ src }) => src),
        }
      })
      if (width > viewports.phone.width) overflows.push(guide.url())
      brokenPictures.push(...broken)
      const next = guide.locator('a[rel="next"]')
      const href = (await next.count()) === 0 ? null : await next.getAttribute('href')
      if (href === null) {
        expect(read).toBe(chapters().length)
        break
      }
      await guide.goto(`/guide/${href}`)
    }
    expect({ overflows, brokenPictures }).toEqual({ overflows: [], brokenPictures: [] })
    await guide.close()
  })

  async function readOnScreen({ chapter, address, hands, names, pictures }: Passage) {
    await comeTo(address)
    const unread = new Set(names)
    const readNow = async () => {
      const said = await wordsOf(page)
      for (const name of unread) if (saysName(said, name)) unread.delete(name)
    }
    for (const hand of hands) {
      await readNow()
      await doAs(hand)
    }
    await expect
      .poll(async () => {
        await readNow()
        return [...unread].map((name) => `${chapter}, ${address}: ${name}`)
      })
      .toEqual([])
    if (takesPictures) for (const name of pictures) await takePicture(name)
  }

  async function comeTo(address: string) {
    const isOutside = address.startsWith('/login')
    if (!isOutside && page.url() === `${server.address}/login`) {
      await signIn(page, 'admin', demonstrationAccounts.password)
      await openCounter(page, 'Médiathèque Cabanis')
    }
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  }

  const copies = [...knownCopies]
  const lent: string[] = []

  /** What hands do: a name is pressed, other gestures have a word of their own. */
  async function doAs(hand: string) {
    const [gesture = '', of = ''] = hand.split(' ')
    switch (gesture) {
      case '@card':
        return scanHere(knownReader.reader_id)
      case '@copies': {
        const taken = copies.splice(0, Number(of))
        lent.push(...taken)
        return scanHere(...taken)
      }
      case '@lent':
        return scanHere(...lent.splice(0, 1))
      case '@shelf': {
        const of = { seed: 5, width: 1600, height: 1200, shows: 300, spines: 9, lean: 6, noise: 4 }
        const { pixels } = await drawShelf({ ...of, texts: knownCopies })
        await page
          .getByRole('dialog')
          .locator('input[type=file]')
          .setInputFiles({ name: 'rayon.jpg', mimeType: 'image/jpeg', buffer: await photographOf(pixels) })
        return page.getByText(`${of.spines} codes lus`).waitFor()
      }
      case '@row':
        return page
          .getByRole('row')
          .filter({ hasText: of })
          .getByRole('button', { name: /^Actions/ })
          .first()
          .click()
      case '@type': {
        const [label = '', text = ''] = hand.slice(gesture.length).split('=')
        return page.getByLabel(label.trim()).first().fill(text.trim())
      }
      case '@ready':
        return becomeReadyForOffline(page)
      case '@offline':
        return page.context().setOffline(true)
      case '@online':
        return page.context().setOffline(false)
      case '@phone':
        return page.setViewportSize(viewports.phone)
      case '@desktop':
        return page.setViewportSize(viewports.desktop)
      default:
        return pressable(page, hand).first().click()
    }
  }

  async function scanHere(...codes: string[]) {
    await scanBox(page)
      .or(page.getByLabel('Exemplaire', { exact: true }))
      .or(page.getByText('Choisir un rayon'))
      .first()
      .waitFor()
    await scan(page, ...codes)
  }

  async function takePicture(name: string) {
    await untilStill(page)
    const taken = await page.screenshot()
    await writeFile(
      join(guideFolder, 'pictures', name),
      await sharp(taken).png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 }).toBuffer(),
    )
  }
})

const pressable = (page: Page, name: string) => {
  const named = { name: new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`) }
  return page
    .getByRole('button', named)
    .or(page.getByRole('link', named))
    .or(page.getByRole('tab', named))
    .or(page.getByRole('menuitem', named))
}

/** Everything that the page says in sight, and the names of what has no word in sight. */
const wordsOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((one) =>
      ['aria-label', 'title', 'placeholder'].map((attribute) => one.getAttribute(attribute) ?? ''),
    )
    return [document.body.innerText, ...named].join('\n').replaceAll(/[\u00a0\u202f]/g, ' ')
  })

const saysName = (said: string, name: string): boolean => {
  const sought = name.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(^|[^\\p{L}])${sought}($|[^\\p{L}])`, 'u').test(said)
}
