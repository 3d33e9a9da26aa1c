// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { mailTransportQuery } from '../../src/client/mail/mail-transport.ts'
import {
  invitation,
  massMails,
  oneMail,
  reminders,
  sayMailed,
  trialTo,
} from '../../src/client/mail/say-mailed.ts'
import MessageArea from '../../src/client/ui/message-area.tsx'
import { theme } from '../../src/client/ui/theme.ts'

describe('what became of a mail', () => {
  beforeEach(() => {
    render(
      <MantineProvider theme={theme} env="test">
        <MessageArea />
      </MantineProvider>,
    )
  })
  afterEach(() => {
    act(() => notifications.clean())
    cleanup()
    queryClient.clear()
    vi.unstubAllGlobals()
  })
  const mailIs = (connected: boolean) => queryClient.setQueryData(mailTransportQuery.queryKey, { connected })
  // Spaces as they are sought.
  const file = 'dans un fichier du serveur : le courrier n’est pas branché.'
  const files = 'dans des fichiers du serveur : le courrier n’est pas branché.'

  it.each([
    ['one', oneMail, "L'email a bien été envoyé.", `Le courriel est écrit ${file}`],
    ['a reminder', reminders(1), '1 relance envoyée.', `1 relance écrite ${file}`],
    ['reminders', reminders(2), '2 relances envoyées.', `2 relances écrites ${files}`],
    ['a mass mail of one', massMails(1), '1 courriel est prêt à partir.', `1 courriel est écrit ${file}`],
    ['a mass mail', massMails(2), '2 courriels sont prêts à partir.', `2 courriels sont écrits ${files}`],
    [
      'a mass mail of none',
      massMails(0),
      'Aucun courriel n’est prêt à partir.',
      'Aucun courriel n’est prêt à partir.',
    ],
    ['an invitation', invitation, 'Invitation envoyée.', 'Invitation écrite dans un fichier du serveur.'],
    ['a trial', trialTo('a@exemple.fr'), 'Essai envoyé à a@exemple.fr.', `Essai écrit ${file}`],
  ])('of %s is that it is sent, or written into a file where none leaves', async (_, fate, sent, written) => {
    mailIs(true)
    await act(() => sayMailed(fate, { about: 'Alice Martin' }))
    expect(await screen.findByText(sent)).toBeInTheDocument()
    expect(screen.getByText('Alice Martin')).toBeInTheDocument()
    act(() => notifications.clean())
    mailIs(false)
    await act(() => sayMailed(fate))
    expect(await screen.findByText(written)).toBeInTheDocument()
  })

  it('is that it is sent, where nobody says how mails leave', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    await act(() => sayMailed(oneMail))
    expect(await screen.findByText("L'email a bien été envoyé.")).toBeInTheDocument()
  })
})
