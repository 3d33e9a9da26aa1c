// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { say } from '../../src/client/page/messages.ts'
import { sayWith } from '../../src/client/page/say-with.ts'
import { FileField } from '../../src/client/ui/forms/file-field.tsx'
import MessageArea from '../../src/client/ui/message-area.tsx'
import { theme } from '../../src/client/ui/theme.ts'

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('messages', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    render(
      <MantineProvider theme={theme} env="test">
        <MessageArea />
        <FileField label="Fichier" rules={{ kind: 'cover' }} files={[]} onChange={() => undefined} />
      </MantineProvider>,
    )
  })
  afterEach(() => {
    act(() => notifications.clean())
    cleanup()
    vi.useRealTimers()
  })

  it('stay for ten seconds, top right', async () => {
    act(() => void say('Prêt enregistré.'))
    const message = screen.getByText('Prêt enregistré.')
    expect(message.closest('[data-position]')).toHaveAttribute('data-position', 'top-right')
    await pass(9_900)
    expect(screen.getByText('Prêt enregistré.')).toBeInTheDocument()
    await pass(1_000)
    expect(screen.queryByText('Prêt enregistré.')).toBeNull()
  })

  it('are said in the library’s words, but for what stands between « and » and under them', () => {
    sayWith([{ said: 'exemplaire', here: 'volume', gender: 'm' }])
    act(
      () =>
        void say('Exemplaire «\u00a0Un exemplaire\u00a0» retiré.', 'good', { about: 'L’exemplaire rare' }),
    )
    sayWith([])
    expect(screen.getByText(/^Volume «\sUn exemplaire\s» retiré\.$/)).toBeInTheDocument()
    expect(screen.getByText('L’exemplaire rare')).toBeInTheDocument()
  })

  it('stay for twenty seconds where a file was refused', async () => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!
    fireEvent.change(input, { target: { files: [new File(['x'], 'notes.exe')] } })
    await pass(0)
    expect(screen.getByRole('alert')).toBeInTheDocument()
    await pass(19_900)
    expect(screen.getByRole('alert')).toBeInTheDocument()
    await pass(1_000)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
