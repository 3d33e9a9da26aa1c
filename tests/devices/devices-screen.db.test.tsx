import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { deviceId } from '../../src/offline/device-meta.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { noNetwork } from '../loans/open-counter.tsx'
import { actorOf, benevole, lending } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'
import { closeDevices, openDevices } from './open-devices.tsx'

afterEach(closeDevices)

const old = '0b0e7a52-6a7e-4d5c-9f0e-1b2c3d4e5f60'
const row = async (name: RegExp) => screen.findByRole('row', { name })

describeServer('the screen of devices', (server) => {
  beforeEach(() => server.db.deleteFrom('devices').execute())

  const asIfReported = (changes: object) =>
    server.db
      .insertInto('devices')
      .values({
        device_id: old,
        first_seen: '2026-01-05T08:00:00Z',
        last_seen: '2026-03-10T08:55:00Z',
        reported_at: '2026-03-10T08:55:00Z',
        browser: 'Safari 17, iPad',
        user_id: 2,
        site: 1,
        ...changes,
      })
      .execute()

  it('shows this device once it has reported itself', async () => {
    await openDevices(server)
    const own = await row(/Cet appareil/)
    expect(own).toHaveTextContent(`Appareil ${(await deviceId()).slice(0, 8)}`)
    await waitFor(() => expect(own).toHaveTextContent('Rien n’attend'))
    expect(own).toHaveTextContent('à l’instant')
    expect(own).toHaveTextContent('admin · Centre')
    expect(await screen.findByText('1 appareil')).toBeVisible()
  })

  it('reports what it holds, whoever did it, and asks nothing of the network while off line', async () => {
    const page = await openDevices(server)
    await row(/Cet appareil/)
    await recordAction(lending(1), await actorOf(benevole))
    await recordAction(lending(2), await actorOf(benevole))
    const comeBack = () => {
      page.later(11 * 60_000)
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const asked: string[] = []
    page.device.network = (request) => {
      asked.push(request.method)
      return page.network(request)
    }
    noteNoAnswer()
    comeBack()
    expect(asked).toEqual([])
    noteAnswer()
    comeBack()
    const own = await row(/Cet appareil/)
    await waitFor(() => expect(own).toHaveTextContent(/2 actions, depuis/))
    expect(asked).toContain('PUT')
  })

  it.each([
    [
      'holding old actions',
      { waiting: 2, oldest_at: '2026-03-10T04:00:00Z' },
      'Actions anciennes',
      /2 actions, depuis 5.h/,
    ],
    [
      'with refused actions',
      { conflicts: 1, quarantined: 1, oldest_at: '2026-03-10T08:30:00Z' },
      '2 actions à régler',
      /2 actions, depuis 30.min/,
    ],
    [
      'never seen again with what it held',
      { last_seen: '2026-01-20T10:00:00Z', waiting: 1, oldest_at: '2026-01-19T10:00:00Z' },
      'Jamais revu',
      /depuis le 20\/01\/2026, avec 1 action, depuis 49.j/,
    ],
    ['known by its actions only', { reported_at: null }, 'Contenu inconnu', /biblio/],
    ['never seen again', { last_seen: '2026-01-20T10:00:00Z' }, 'Jamais revu', /depuis le 20\/01\/2026/],
  ])('tells of a device %s', async (_, changes, word, held) => {
    await asIfReported(changes)
    await openDevices(server)
    const told = await row(/Appareil 0b0e7a52/)
    expect(within(told).getByText(word)).toBeVisible()
    expect(told).toHaveTextContent(held)
    expect(told).toHaveTextContent('biblio Test · Centre')
  })

  it('names a device, and says what is wrong in the dialog', async () => {
    await asIfReported({})
    const page = await openDevices(server)
    await userEvent.click(await screen.findByRole('button', { name: /^Nommer\s: Appareil 0b0e7a52$/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Nommer l’appareil' })
    await userEvent.type(within(dialog).getByLabelText('Nom'), 'Tablette de l’accueil')
    page.device.network = noNetwork
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await within(dialog).findByText(/Le serveur ne répond pas/)).toBeVisible()
    page.device.network = page.network
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^L’appareil s’appelle «\sTablette de l’accueil\s»\.$/)).toBeVisible()
    expect(await row(/Tablette de l’accueil/)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says that no device fits, and goes back to all of them', async () => {
    await asIfReported({})
    await openDevices(server, '/settings/devices?searchname|like=zzz')
    expect(await screen.findByText('Aucun appareil ne correspond à ces filtres.')).toBeVisible()
    await userEvent.click(
      screen.getAllByRole('button', { name: 'Effacer les filtres' }).at(-1) as HTMLElement,
    )
    expect(await row(/Appareil 0b0e7a52/)).toBeVisible()
  })

  it('says what went wrong, and tries again', async () => {
    await asIfReported({})
    const page = await openDevices(server, '/settings/devices', noNetwork)
    expect(await screen.findByText(/Le serveur ne répond pas/)).toBeVisible()
    page.device.network = page.network
    await userEvent.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await row(/Appareil 0b0e7a52/)).toBeVisible()
  })
})
