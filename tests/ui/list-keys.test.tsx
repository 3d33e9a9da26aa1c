// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ResourceTable } from '../../src/client/ui/lists/resource-table.tsx'
import type { RowAction } from '../../src/client/ui/lists/row-actions.ts'
import { withLetters } from '../../src/client/ui/lists/row-letters.ts'
import { useSelection } from '../../src/client/ui/lists/use-selection.ts'
import { screenOf } from '../support/screen-of.ts'

beforeEach(() => screenOf(1440))
afterEach(() => {
  cleanup()
  ran.mockClear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const rows = ['Un', 'Deux', 'Trois']
const columns = [
  {
    key: 'name',
    title: 'Titre',
    role: 'main' as const,
    cell: (row: string) => <a href={`#${row}`}>{row}</a>,
  },
]
const ran = vi.fn()
const actions = withLetters(
  ['Prolonger', 'Relancer', 'Supprimer'].map((label): RowAction<string> => ({
    key: label,
    label,
    Icon: IconMail,
    may: (row) => label !== 'Prolonger' || row !== 'Trois',
    run: (row) => ran(label, row),
    ...(label === 'Supprimer' ? { tone: 'bad' as const } : {}),
  })),
)

function List({ open }: { open?: string }) {
  const selection = useSelection(rows, { page: '1', filters: '' })
  return (
    <MantineProvider env="test">
      <button type="button">Avant</button>
      <ResourceTable
        label="Prêts"
        columns={columns}
        rows={rows}
        rowKey={(row) => row}
        nameOf={(row) => row}
        actions={actions}
        selection={selection}
        isOpen={(row) => row === open}
        empty="Aucun prêt."
      />
      <button type="button">Après</button>
      <input aria-label="Lecteur" />
      <select aria-label="Lignes par page" />
    </MantineProvider>
  )
}

const link = (name: string) => screen.getByRole('link', { name })
const button = (name: string) => screen.getByRole('button', { name })
const box = (name: string) => screen.getByRole('checkbox', { name })

let clock = 1e9
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

/** Keys where the focus is, so many milliseconds apart, and a second after the last. */
async function press(keys: string, gap: number) {
  clock += 5000
  for (const key of Array.from(keys, (sign) => (sign === '⏎' ? 'Enter' : sign))) {
    clock += gap
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: clock })
    fireEvent(document.activeElement ?? document.body, event)
    await pass(gap)
  }
  await pass(1000)
}

describe('a list by the keyboard', () => {
  it('is one stop of the Tab key, at the row that was left', async () => {
    render(<List />)
    button('Avant').focus()
    await userEvent.tab()
    expect(link('Un')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await userEvent.tab()
    expect(button('Après')).toHaveFocus()
    await userEvent.tab({ shift: true })
    expect(link('Deux')).toHaveFocus()
  })

  it('goes from row to row, and within one to its box and to what acts on it', async () => {
    render(<List />)
    link('Un').focus()
    await userEvent.keyboard('{End}')
    expect(link('Trois')).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}{ArrowRight}')
    expect(button('Prolonger\u202f: Deux')).toHaveFocus()
    // What a row lacks is passed by.
    await userEvent.keyboard('{ArrowRight}{ArrowDown}')
    expect(button('Relancer\u202f: Trois')).toHaveFocus()
    await userEvent.keyboard('{ArrowRight}{Home}')
    expect(button('Actions\u202f: Un')).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}')
    expect(box('Choisir\u202f: Un')).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}')
    expect(box('Choisir toute la page')).toHaveFocus()
  })

  it('ticks its rows by Space, and none for a code that holds one', async () => {
    render(<List />)
    link('Deux').focus()
    await userEvent.keyboard(' ')
    expect(box('Choisir\u202f: Deux')).toBeChecked()
    expect(link('Deux')).toHaveFocus()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await press('31 55', 90)
    expect(box('Choisir\u202f: Deux')).toBeChecked()
  })
})

describe('letters in a list', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('act on the row that has the focus, else on the open one, and are said by its buttons', async () => {
    render(<List open="Trois" />)
    expect(button('Relancer\u202f: Deux')).toHaveAttribute('title', 'Relancer (E)')
    act(() => link('Deux').focus())
    await press('o', 0)
    expect(ran.mock.calls).toEqual([['Prolonger', 'Deux']])
    act(() => button('Après').focus())
    await press('e', 0)
    expect(ran.mock.calls.slice(1)).toEqual([['Relancer', 'Trois']])
    // It may not be extended.
    await press('o', 0)
    expect(ran).toHaveBeenCalledTimes(2)
  })

  it('open the menu of a row by M, where what loses something has none', async () => {
    render(<List />)
    act(() => link('Un').focus())
    for (const letter of Array.from('supr')) await press(letter, 0)
    expect(ran).not.toHaveBeenCalled()
    await press('m', 0)
    expect(screen.getByRole('menuitem', { name: 'Supprimer' })).toBeVisible()
    await press('o', 0)
    expect(ran).not.toHaveBeenCalled()
  })

  it.each([8, 30, 60, 100, 200, 450])('are not heard in a code whose signs come every %i ms', async (gap) => {
    render(<List open="Trois" />)
    for (const place of [link('Deux'), box('Choisir\u202f: Deux'), button('Après')]) {
      act(() => place.focus())
      for (const code of ['o31555510001007⏎', '3155o⏎', 'oe', 'meo⏎', '3155e']) await press(code, gap)
    }
    expect(ran).not.toHaveBeenCalled()
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('are text in a field, and choose in a select', async () => {
    render(<List open="Trois" />)
    for (const name of ['Lecteur', 'Lignes par page']) {
      act(() => screen.getByLabelText(name).focus())
      await press('e', 0)
    }
    expect(ran).not.toHaveBeenCalled()
  })
})
