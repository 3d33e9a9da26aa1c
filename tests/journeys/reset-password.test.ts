import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { openCounter } from '../support/counter.ts'

describe('a forgotten password', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'phone', keepsShell: false })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is replaced by the link that was written', async () => {
    const { page } = device
    await page.goto('/login')
    await page.getByRole('link', { name: /Mot de passe oublié/ }).click()
    await page.getByLabel('Nom d’utilisateur ou adresse électronique').fill('benevole')
    await page.keyboard.press('Enter')
    await page.getByText('Un email de réinitialisation de mot de passe à été envoyé').first().waitFor()
    await page.getByText('son lien est dans un fichier du serveur').first().waitFor()

    const link = await linkInMail(join(server.dataDir, 'mail'))
    await page.goto(link)
    await page.getByLabel('Nouveau mot de passe').fill('une girafe au comptoir')
    await page.getByLabel('Confirmez le mot de passe').fill('une girafe au comptoir')
    await page.keyboard.press('Enter')
    await page.getByText('Le mot de passe a bien été mis à jour').first().waitFor()

    await signIn(page, 'benevole', 'une girafe au comptoir')
    await openCounter(page)
    expect(device.errors).toEqual([])
  })
})

async function linkInMail(folder: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const names = await readdir(folder).catch(() => [])
        const name = names.find((file) => file.endsWith('.eml'))
        if (!name) return undefined
        const mail = await PostalMime.parse(await readFile(join(folder, name)))
        link = /http:\/\/[^\s"<]+\/reset\/password\/[\w-]+/.exec(mail.html ?? '')?.[0]
        return link
      },
      { timeout: 30_000 },
    )
    .toBeDefined()
  return link ?? ''
}
