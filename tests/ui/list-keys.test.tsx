// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ResourceTable } from '../../src/client/ui/lists/resource-table.tsx'
import type { RowAction } from '../../src/client/ui/lists/row-actions.ts'
import { useSelection } from '../../src/client/ui/lists/use-selection.ts'
import { screenOf } from '../support/screen-of.ts'

beforeEach(() => screenOf(1440))
afterEach(() => {
  cleanup()
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
const actions: readonly RowAction<string>[] = ['Prolonger', 'Relancer', 'Modifier'].map(
  (label): RowAction<string> => ({
    key: label,
    label,
    Icon: IconMail,
    may: (row) => label !== 'Prolonger' || row !== 'Trois',
    run: () => undefined,
  }),
)

function List() {
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
        empty="Aucun prêt."
      />
      <button type="button">Après</button>
    </MantineProvider>
  )
}

const link = (name: string) => screen.getByRole('link', { name })
const button = (name: string) => screen.getByRole('button', { name })
const box = (name: string) => screen.getByRole('checkbox', { name })

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
    for (const [at, key] of Array.from('31 55').entries()) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      Object.defineProperty(event, 'timeStamp', { value: 1e9 + at * 90 })
      fireEvent(link('Deux'), event)
    }
    expect(box('Choisir\u202f: Deux')).toBeChecked()
  })
})
