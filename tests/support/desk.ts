import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { type Api, apiOf } from './api-of.ts'
import { openDevice, signIn } from './browser.ts'
import { openCounter } from './counter.ts'
import { openRunningServer, type RunningServerOptions } from './running-server.ts'
import { testPassword } from './test-library.ts'

export type Desk = {
  api: Api
  page: Page
  /** Throws where the page told of an error. */
  leave: () => Promise<void>
}

/** Somebody of the counter at a desktop, in a library of their own; `arrange` does by calls what is done before they sit down. */
export async function openDesk({
  prepare,
  arrange,
}: Pick<RunningServerOptions, 'prepare'> & { arrange?: (api: Api) => Promise<unknown> } = {}): Promise<Desk> {
  const server = await openRunningServer({ onPostgres: true, ...(prepare ? { prepare } : {}) })
  const api = await apiOf(server.address, 'biblio', testPassword)
  await arrange?.(api)
  const device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
  const { page } = device
  await signIn(page, 'biblio', testPassword)
  await openCounter(page, 'Centre')
  const leave = async () => {
    const errors = [...device.errors]
    await device.close()
    await server.drop()
    expect(errors).toEqual([])
  }
  return { api, page, leave }
}
