import '../support/page-globals.ts'

import { readdirSync, readFileSync } from 'node:fs'

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

const { happyDOM } = document.defaultView as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void }
}
const usual = { width: innerWidth, height: innerHeight }

beforeEach(() => happyDOM.setViewport({ width: 390, height: 844 }))
afterEach(async () => {
  await closeApp()
  happyDOM.setViewport(usual)
})

/** What takes scans as a screen, and where it is. */
const placeOf: Record<string, string> = {
  'home/home-screen.tsx': '/home',
  'lending/add-loan-screen.tsx': '/loaning/add',
  'lending/return-screen.tsx': '/loaning/return',
  'catalogue/reference-add-screen.tsx': '/references/add',
  'calendar/calendar-screen.tsx': '/calendar',
  'reservations/reservation-add-screen.tsx': '/reservations/add',
  'reservations/picking-screen.tsx': '/reservations/picking',
  'transfers/arrival-scans.tsx': '/transfers',
  'weeding/cart-scans.tsx': '/weeding/cart',
  'inventories/count-screen.tsx': '/inventories/count/:id',
}
/** Takes the cards that no screen takes; and tries a hand scanner's prefix. */
const ofNoScreen = ['app/frame.tsx', 'account/device-preferences.tsx']

const filesThatTakeScans = () =>
  readdirSync('src/client', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(scanner|ui)\//.test(file))
    .filter((file) => /\buseScans\(/.test(readFileSync(`src/client/${file}`, 'utf8')))

async function tapScanner(): Promise<void> {
  const bar = await screen.findByRole('navigation', { name: 'Places' })
  await userEvent.click(within(bar).getByRole('button', { name: 'Scanner' }))
  expect(await screen.findByRole('button', { name: 'Fermer la caméra' })).toBeVisible()
}

describeServer('« Scanner » on a phone', (server) => {
  it.each(Object.values(placeOf))('opens the camera of %s', async (place) => {
    const admin = await server.as('admin')
    await setParameter(server, 'reservations_without_dates', '1')
    const address = place.includes(':id')
      ? place.replace(
          ':id',
          String((await admin.post('/api/inventories', { name: 'Tout', site: 1 })).body.id),
        )
      : place
    const page = await openApp(server, address)
    await tapScanner()
    expect(page.address).toBe(`${address}?scanner=1`)
  })

  it('opens the counter’s where nothing is scanned', async () => {
    const page = await openApp(server, '/beneficiaries')
    await tapScanner()
    expect(page.address).toBe('/home?scanner=1')
  })

  it('was tried wherever scans are taken', () => {
    expect(filesThatTakeScans().sort()).toEqual([...Object.keys(placeOf), ...ofNoScreen].sort())
  })
})
