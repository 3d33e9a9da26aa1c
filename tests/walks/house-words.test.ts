import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword, testPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, openCounter, scanBox } from '../support/counter.ts'

describe('the words of the library', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer()
    device = await openDevice(server.address, { viewport: 'desktop' })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })
  const adherents = () => device.page.getByRole('link', { name: 'Adhérents', exact: true })

  it('are said on another device as soon as they are changed', async () => {
    await signIn(device.page, 'biblio', testPassword)
    await openCounter(device.page)
    await becomeReadyForOffline(device.page)
    const api = await apiOf(server.address, 'admin', adminPassword)
    const { body } = await api.get('/api/translations?code=beneficiaries')
    const [{ id }] = (body as { 'hydra:member': [{ id: number }] })['hydra:member']
    expect((await api.put(`/api/translations/${id}`, { translation: 'Adhérents' })).status).toBe(200)
    await adherents().waitFor()
  })

  it('open the page with the device alone', async () => {
    await server.stop('SIGKILL')
    await device.page.reload()
    await scanBox(device.page).waitFor()
    await adherents().waitFor()
    expect(await device.page.getByRole('link', { name: 'Lecteurs', exact: true }).count()).toBe(0)
  })
})
