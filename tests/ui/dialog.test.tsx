// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { Button, MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { useScans, submitScan } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider, useConfirm } from '../../src/client/ui/dialogs/confirm.tsx'
import type { Question } from '../../src/client/ui/dialogs/confirm-question.ts'
import { type ForGood, Dialog, DialogButtons } from '../../src/client/ui/dialogs/dialog.tsx'
import { Sheet } from '../../src/client/ui/dialogs/sheet.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { MotiveDialog } from '../../src/client/ui/forms/motive-dialog.tsx'

// A browser has it, happy-dom does not; fields that grow with their text listen to it.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

afterEach(() => {
  cleanup()
  notifications.clean()
})

const show = (children: ReactNode) =>
  render(
    <MantineProvider theme={theme} env="test">
      <Notifications />
      <ConfirmProvider>{children}</ConfirmProvider>
    </MantineProvider>,
  )

/** A key some time after now, as a browser sends it; says whether it went through. */
function key(target: Element, name: string, afterMs: number, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
  Object.defineProperty(event, 'timeStamp', { value: performance.now() + afterMs })
  return fireEvent(target, event)
}

const drawn = () => new Promise(requestAnimationFrame)

type Shown = { acts?: ForGood; isUnasked?: boolean; onScan?: (code: string) => unknown }

const ignore = () => undefined

/** A screen that takes scans, whose button opens a dialog. */
function Screen({ taken = ignore, ...how }: Shown & { taken?: (code: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  useScans(taken)
  return (
    <main>
      <h1>Prêts</h1>
      <button onClick={() => setOpen(true)}>Ouvrir</button>
      {isOpen ? (
        <Dialog title="Supprimer" onClose={() => setOpen(false)} {...how}>
          <DialogButtons onCancel={() => setOpen(false)}>
            <Button data-autofocus={how.acts === undefined || undefined}>Valider</Button>
          </DialogButtons>
        </Dialog>
      ) : null}
    </main>
  )
}

function Mouth() {
  return <button onClick={() => submitScan('1234567')}>Lire</button>
}
const scan = () => fireEvent.click(screen.getByText('Lire'))

const open = async () => {
  screen.getByText('Ouvrir').focus()
  fireEvent.click(screen.getByText('Ouvrir'))
  return screen.findByRole('dialog')
}

beforeAll(() => import('../../src/client/ui/dialogs/confirm-dialog.tsx'))

describe('a dialog', () => {
  it('ignores scans and says so, and gives them back to the screen', async () => {
    const taken = vi.fn()
    show(
      <>
        <Mouth />
        <Screen taken={taken} />
      </>,
    )
    const dialog = await open()
    scan()
    expect(taken).not.toHaveBeenCalled()
    expect(within(dialog).getByText('Code 1234567 lu, ignoré').closest('[aria-live]')).toHaveAttribute(
      'aria-live',
      'assertive',
    )
    expect(await screen.findAllByText('Code 1234567 lu, ignoré')).toHaveLength(2)
    fireEvent.click(screen.getByText('Annuler'))
    scan()
    expect(taken).toHaveBeenCalledExactlyOnceWith('1234567', undefined)
  })

  it('takes the scans it asks for', async () => {
    const taken = vi.fn()
    const onScan = vi.fn()
    show(
      <>
        <Mouth />
        <Screen taken={taken} onScan={onScan} />
      </>,
    )
    await open()
    scan()
    expect(onScan).toHaveBeenCalledExactlyOnceWith('1234567', undefined)
    expect(taken).not.toHaveBeenCalled()
    expect(screen.queryByText(/Code .+ lu, ignoré/)).toBeNull()
  })

  it('says of a scan that it has no use for that it does nothing', async () => {
    show(
      <>
        <Mouth />
        <Screen onScan={() => false} />
      </>,
    )
    const dialog = await open()
    scan()
    expect(within(dialog).getByText('Code 1234567 lu, ignoré')).toBeInTheDocument()
  })

  it.each<ForGood>(['destroys', 'sends', 'leaves', 'passes-over'])(
    'that %s focuses its way out',
    async (acts) => {
      show(<Screen acts={acts} />)
      await open()
      await waitFor(() => expect(screen.getByText('Annuler').closest('button')).toHaveFocus())
    },
  )

  it.each([
    ['that acts', { acts: 'destroys' } as const],
    ['that nobody asked for', { isUnasked: true }],
  ])('%s hears Enter and Space once it has been in sight for 400 ms', async (_, how) => {
    show(<Screen {...how} />)
    fireEvent.click(screen.getByText('Ouvrir'))
    const valider = screen.getByText('Valider').closest('button')!
    // Nothing is drawn yet.
    expect(key(valider, 'Enter', 1000)).toBe(false)
    await drawn()
    await drawn()
    expect(key(valider, 'Enter', 100)).toBe(false)
    expect(key(valider, ' ', 100)).toBe(false)
    expect(key(document.body, 'Enter', 100)).toBe(false)
    expect(key(valider, 'ArrowDown', 100)).toBe(true)
    expect(key(valider, 'Enter', 500)).toBe(true)
    expect(key(valider, ' ', 500)).toBe(true)
  })

  it('never hears an Enter that is held down', async () => {
    show(<Screen />)
    await open()
    await drawn()
    await drawn()
    const valider = screen.getByText('Valider').closest('button')!
    expect(key(valider, 'Enter', 5000, { repeat: true })).toBe(false)
    expect(key(valider, 'Enter', 5000)).toBe(true)
  })

  it('gives the focus back when it is taken away while open', async () => {
    show(<Screen />)
    await open()
    await waitFor(() => expect(screen.getByText('Valider').closest('button')).toHaveFocus())
    fireEvent.click(screen.getByText('Annuler'))
    // At once: what is typed next is for the page again.
    await Promise.resolve()
    expect(screen.getByText('Ouvrir')).toHaveFocus()
  })

  it('closes by Escape alone, the topmost first', async () => {
    function Two() {
      const [upper, setUpper] = useState(true)
      const [lower, setLower] = useState(true)
      return (
        <>
          <Dialog title="Dessous" isOpen={lower} onClose={() => setLower(false)}>
            <button>Un</button>
          </Dialog>
          <Dialog title="Dessus" isOpen={upper} onClose={() => setUpper(false)}>
            <button>Deux</button>
          </Dialog>
        </>
      )
    }
    show(<Two />)
    await screen.findByText('Deux')
    key(document.body, 'Escape', 0)
    await waitFor(() => expect(screen.queryByText('Deux')).toBeNull())
    expect(screen.getByText('Un')).toBeInTheDocument()
    key(document.body, 'Escape', 0)
    await waitFor(() => expect(screen.queryByText('Un')).toBeNull())
  })

  it('begins in the motive where one is needed', async () => {
    show(
      <MotiveDialog
        of="1"
        act="Mettre de côté"
        acts="destroys"
        missing=""
        onClose={() => undefined}
        onConfirm={() => undefined}
      >
        Livre
      </MotiveDialog>,
    )
    await waitFor(() => expect(screen.getByLabelText(/Motif/)).toHaveFocus())
  })
})

describe('a sheet', () => {
  it('ignores scans as a dialog does', async () => {
    const taken = vi.fn()
    show(
      <>
        <Mouth />
        <Screen taken={taken} />
        <Sheet title="Filtrer" onClose={() => undefined}>
          <button>Voir</button>
        </Sheet>
      </>,
    )
    scan()
    expect(taken).not.toHaveBeenCalled()
    expect(await screen.findByText(/Code .+ lu, ignoré/)).toBeInTheDocument()
  })
})

describe('where the focus goes', () => {
  /** A list whose rows go once their button, and then the dialog’s, is pressed. */
  function List({ question }: { question: Question }) {
    const confirm = useConfirm()
    const [left, setLeft] = useState(['Un', 'Deux'])
    const [busy, setBusy] = useState(false)
    const remove = async (row: string) => {
      setBusy(true)
      if (await confirm(question)) setLeft((before) => before.filter((one) => one !== row))
      setBusy(false)
    }
    return (
      <main>
        <h1>Prêts</h1>
        <section aria-label="En retard">
          <h2>En retard</h2>
          <ul>
            {left.map((row) => (
              <li key={row}>
                <a href="#vue">{row}</a>
                <button disabled={busy} onClick={() => void remove(row)}>
                  Supprimer {row}
                </button>
              </li>
            ))}
          </ul>
        </section>
      </main>
    )
  }
  const question: Question = { title: 'Supprimer ?', message: '', acts: 'destroys' }
  const press = (name: string) => {
    screen.getByText(name).focus()
    fireEvent.click(screen.getByText(name))
  }

  it('waits for its button that was disabled meanwhile', async () => {
    show(<List question={question} />)
    press('Supprimer Un')
    fireEvent.click(await screen.findByText('Annuler'))
    await waitFor(() => expect(screen.getByText('Supprimer Un')).toHaveFocus())
  })

  it('goes to the heading of the list when the row went', async () => {
    show(<List question={question} />)
    press('Supprimer Un')
    fireEvent.click(await screen.findByText('Valider'))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'En retard' })).toHaveFocus())
  })

  it('stays in the row when only its button went', async () => {
    function Row() {
      const [isGone, setGone] = useState(false)
      return (
        <main>
          <h1>Prêts</h1>
          <ul>
            <li>
              <a href="#vue">Un</a>
              {isGone ? null : <button onClick={() => setGone(true)}>Annuler le prêt</button>}
            </li>
          </ul>
        </main>
      )
    }
    show(<Row />)
    press('Annuler le prêt')
    await waitFor(() => expect(screen.getByText('Un')).toHaveFocus())
  })

  it('goes to the title of the page when nothing nearer is left', async () => {
    function Part() {
      const [isGone, setGone] = useState(false)
      return (
        <main>
          <h1>Prêts</h1>
          {isGone ? null : <button onClick={() => setGone(true)}>Effacer</button>}
        </main>
      )
    }
    show(<Part />)
    press('Effacer')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Prêts' })).toHaveFocus())
  })
})

describe('questions', () => {
  it('wait for their turn: none is answered by another', async () => {
    const answers: string[] = []
    function Asks() {
      const confirm = useConfirm()
      const ask = async (title: string) =>
        answers.push(`${title} ${await confirm({ title, message: title })}`)
      return (
        <>
          <button onClick={() => void ask('Une')}>Demander une</button>
          <button onClick={() => void ask('Deux')}>Demander deux</button>
        </>
      )
    }
    show(<Asks />)
    fireEvent.click(screen.getByText('Demander une'))
    fireEvent.click(screen.getByText('Demander deux'))
    expect(await screen.findByRole('dialog', { name: 'Une' })).toBeInTheDocument()
    expect(screen.queryByRole('dialog', { name: 'Deux' })).toBeNull()
    expect(answers).toEqual([])
    fireEvent.click(screen.getByText('Valider'))
    const second = await screen.findByRole('dialog', { name: 'Deux' })
    fireEvent.click(within(second).getByText('Annuler'))
    await waitFor(() => expect(answers).toEqual(['Une true', 'Deux false']))
  })

  it('are asked once when their button is pressed twice', async () => {
    const answers: boolean[] = []
    function Asks() {
      const confirm = useConfirm()
      return (
        <button
          onClick={() =>
            void confirm({ title: 'Supprimer ?', message: 'Un' }).then((yes) => answers.push(yes))
          }
        >
          Demander
        </button>
      )
    }
    show(<Asks />)
    fireEvent.click(screen.getByText('Demander'))
    fireEvent.click(screen.getByText('Demander'))
    fireEvent.click(await screen.findByText('Valider'))
    await waitFor(() => expect(answers.toSorted()).toEqual([false, true]))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
