import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

const newPassword = 'la phrase de la nouvelle installation'

describe('a library that leaves', () => {
  let server: RunningServer
  let elsewhere: RunningServer
  const devices: Device[] = []
  const open = async (address: string, password: string) => {
    const device = await openDevice(address, { keepsShell: false })
    devices.push(device)
    await device.page.goto('/login')
    await signIn(device.page, 'admin', password)
    return device.page
  }
  beforeAll(async () => {
    server = await openRunningServer()
    elsewhere = await openRunningServer({ isNew: true, env: { ADMIN_PASSWORD: newPassword } })
    const api = await apiOf(server.address, 'admin', adminPassword)
    await api.post('/api/loanings', { beneficiary: 1, copy: 1 })
  })
  afterAll(async () => {
    for (const device of devices) await device.close()
    await server?.drop()
    await elsewhere?.drop()
  })

  it('takes its archive along in one gesture, and finds all of it in an empty installation', async () => {
    const page = await open(server.address, adminPassword)
    await openCounter(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/settings/leaving')
    await page.getByRole('button', { name: 'Préparer l’archive' }).click()
    const ready = page.getByRole('button', { name: 'Télécharger' })
    await ready.waitFor({ timeout: 120_000 })
    const [download] = await Promise.all([page.waitForEvent('download'), ready.click()])
    expect(download.suggestedFilename()).toMatch(/^bibliotheque-\d{8}-\d{6}\.zip$/)
    const archive = join(server.dataDir, 'fetched.zip')
    await download.saveAs(archive)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)

    await elsewhere.stop()
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/server/import.js', archive], {
      env: { ...process.env, DATA_DIR: elsewhere.dataDir, DATABASE_URL: '' },
    })
    expect(stdout).toContain('4 lecteurs, 1 prêts')
    await elsewhere.start()
    const api = await apiOf(elsewhere.address, 'admin', newPassword)
    const { body } = await api.get('/api/loanings')
    expect(body['hydra:member']).toMatchObject([
      { reference_name: 'Livre numéro 1', beneficiary_name: 'Alice Martin (M1)' },
    ])
  })
})
