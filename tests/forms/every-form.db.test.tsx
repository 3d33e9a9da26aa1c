import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { beginSession, currentSession, rememberUser } from '../../src/client/api/session.ts'
import { call } from '../../src/client/api/call.ts'
import { getMe } from '../../src/contract/session.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { type FormCase, formsOfTheApp, type Written } from './forms-of-the-app.ts'

afterEach(closeApp)

const pressable =
  'button:not(:disabled), a, [role=menuitem], [role=tab], input[type=checkbox], input[type=radio]'
const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ??
  (element instanceof HTMLInputElement
    ? (element.labels?.[0]?.textContent ?? '')
    : (element.textContent ?? ''))
/** The last of a name stands in the dialog that is on top. */
const find = (name: RegExp) =>
  waitFor(() => {
    const found = [...document.querySelectorAll(pressable)].findLast((one) => name.test(nameOf(one).trim()))
    if (!found) throw new Error(`Nothing is called ${String(name)}.`)
    return found
  })
const field = async (label: RegExp): Promise<HTMLInputElement> =>
  (await screen.findAllByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' })).at(-1)!

const openForm = async ({ open = [], inPage }: Pick<FormCase, 'open' | 'inPage'>) => {
  for (const step of open) {
    if (step instanceof RegExp) fireEvent.click(await find(step))
    else await write(step)
  }
  if (open.length > 0 && !inPage) await screen.findByRole('dialog')
}
async function write(written: Written): Promise<void> {
  if (written[0] === 'choose') {
    fireEvent.click(await field(written[1]))
    fireEvent.click(await screen.findByRole('option', { name: written[2] }))
    return
  }
  const one = await field(written[0])
  if (one.type === 'checkbox') return void fireEvent.click(one)
  fireEvent.change(one, { target: { value: written[1] } })
  fireEvent.blur(one)
}
const pathOf = (address: string) => address.split('?')[0]
const valueOf = (one: HTMLInputElement) =>
  one.type === 'checkbox' ? (one.checked ? 'on' : 'off') : one.value

describeServer('every form', (server) => {
  describe.each(formsOfTheApp)('$file, $what', (form) => {
    beforeAll(() => form.before?.(server))

    it('says what is wrong at its field and loses nothing', async () => {
      const page = await openApp(server, form.at, { as: form.as ?? 'admin' })
      await openForm(form)
      // Keys and what is sent in a form within another would be the other's too.
      expect(document.querySelector('form form')).toBeNull()
      for (const one of form.write) await write(one)
      const written = await Promise.all(
        form.write.map(async ([label, next]) => {
          const at = label === 'choose' ? next : label
          return [at, valueOf(await field(at))] as const
        }),
      )
      const send = page.device.network
      if (!form.refused) {
        page.device.network = (request) =>
          request.method === 'GET' ? send(request) : Promise.resolve(new Response('', { status: 500 }))
      }
      fireEvent.click(await find(form.save))
      if (form.asked) fireEvent.click(await find(form.asked))
      if (form.refused) {
        const [label, says] = form.refused
        await waitFor(async () => expect(await field(label)).toHaveAccessibleDescription(says))
        expect(await field(label)).toBeInvalid()
      } else {
        expect((await screen.findAllByRole('alert')).at(-1)?.textContent).not.toBe('')
      }
      for (const [label, value] of written) expect(valueOf(await field(label))).toBe(value)
    })

    it('gives back what was typed when the session ended', async () => {
      const page = await openApp(server, form.at, { as: form.as ?? 'admin' })
      await openForm(form)
      for (const one of form.write) await write(one)
      if (form.kept && typeof form.kept[1] === 'string') {
        if (valueOf(await field(form.kept[0])) !== form.kept[1]) await write([form.kept[0], form.kept[1]])
      }
      await server.db.updateTable('sessions').set({ revoked_at: server.now.toISOString() }).execute()
      // The next call is refused, whatever asks for it.
      await act(() => call(getMe, {}).catch(() => undefined))
      await waitFor(() => expect(page.router.state.location.pathname).toBe('/login'))
      expect(currentSession()).toBeNull()

      const client = await server.as(form.as ?? 'admin')
      const { body: user } = await client.get('/api/users/me')
      act(() => {
        sessionStorage.setItem('site_id', '1')
        sessionStorage.setItem('site_name', 'Centre')
        beginSession(client.token ?? '', server.environment.id)
        rememberUser(user)
      })
      await waitFor(() => expect(pathOf(page.address)).toBe(pathOf(form.at)))
      await openForm({ ...form, ...(form.reopen ? { open: form.reopen } : {}) })
      if (form.kept) {
        const [label, text] = form.kept
        await waitFor(async () => {
          const value = valueOf(await field(label))
          if (typeof text === 'string') expect(value).toBe(text)
          else expect(value).toMatch(text)
        })
        return
      }
      for (const [label, text] of form.write) {
        if (label === 'choose' || text === '') continue
        expect(valueOf(await field(label))).toBe('')
      }
    })
  })
})
