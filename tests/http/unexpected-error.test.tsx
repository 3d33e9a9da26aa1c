// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { call } from '../../src/client/api/call.ts'
import { CallError } from '../../src/client/api/call-error.ts'
import { currentConnection } from '../../src/client/api/connection.ts'
import { ErrorScreen } from '../../src/client/app/router.tsx'
import { sites } from '../../src/contract/sites.ts'
import { keptAnswer } from '../../src/offline/kept-answer.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const answer = (status: number, body: string | null) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response(body, {
        status,
        headers: { 'content-type': 'application/json', 'x-request-id': 'ab12cd34' },
      }),
    ),
  )
const messageOf = async () => {
  const error = await call(sites.list, {}).catch((error: unknown) => error)
  return error instanceof CallError ? error.message : `no CallError: ${String(error)}`
}

describe('a page', () => {
  it('says the reference of a call that failed as nobody foresaw, whatever came with it', async () => {
    answer(500, '{"code":500,"message":"Une erreur inattendue s’est produite.","request_id":"ab12cd34"}')
    expect(await messageOf()).toBe(
      'Une erreur inattendue s’est produite. Numéro de l’incident\u202f: ab12cd34',
    )
    answer(502, '<html>')
    expect(await messageOf()).toMatch(
      /^Une erreur inattendue s’est produite\. .* Numéro de l’incident\u202f: ab12cd34$/,
    )
  })

  it('says no reference with a refusal', async () => {
    answer(409, '{"code":409,"message":"Déjà prêté.","reason":"ALREADY_LENT"}')
    expect(await messageOf()).toBe('Déjà prêté.')
  })

  it('says of what its worker keeps that it is kept, and is off line', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(keptAnswer()))
    const error = await call(sites.list, {}).catch((error: unknown) => error)
    expect(error).toMatchObject({ status: 0, isNoNetwork: true })
    expect((error as CallError).message).toMatch(/l’action est gardée sur cet appareil/)
    expect(currentConnection()).toBe('offline')
  })

  it('shows the reference on the screen of what nobody foresaw', async () => {
    const ErrorAtOnce = () => {
      throw new CallError(500, null, 'ab12cd34')
    }
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const router = createMemoryRouter([
      { path: '/', element: <ErrorAtOnce />, errorElement: <ErrorScreen /> },
    ])
    render(
      <MantineProvider>
        <RouterProvider router={router} />
      </MantineProvider>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('Numéro de l’incident\u202f: ab12cd34')
    quiet.mockRestore()
  })
})
