import type { RefObject } from 'react'

import { isFormField } from '../../page/text-field.ts'
import { unlessCovered, useLoneKeys } from '../lone-keys.ts'
import { mayRun, type RowAction, type RowKey } from './row-actions.ts'

/** Within a code a scanner pauses for less, so that none of its signs acts on a row. */
const scanPauseMs = 500

/** Letters of every screen and of the panel, and the one that opens a row's menu. */
const taken = ['p', 'r', 'j', 'k', 'm']

/** Each act gets a letter of its label; what loses something gets none, and is chosen in the menu. */
export function withLetters<Row>(actions: readonly RowAction<Row>[]): readonly RowAction<Row>[] {
  const used = new Set(taken)
  return actions.map((action) => {
    const signs = action.tone === 'bad' ? '' : action.label.toLowerCase()
    const letter = Array.from(signs).find((sign) => /[a-z]/.test(sign) && !used.has(sign))
    if (letter === undefined) return action
    used.add(letter)
    return { ...action, letter }
  })
}

type RowLettersProps<Row> = {
  frame: RefObject<HTMLElement | null>
  rows: readonly Row[]
  rowKey: (row: Row) => RowKey
  actions: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>, row: Row) => void
}

/** Letters act on the row that has the focus, else on the open one; M opens its menu. */
export function RowLetters<Row>({ frame, rows, rowKey, actions, onRun }: RowLettersProps<Row>): null {
  const onRow = (act: (row: HTMLElement) => void) =>
    unlessCovered(() => {
      const row = rowAtHand(frame.current)
      if (row) act(row)
    })
  useLoneKeys(
    [
      ['M', onRow(openMenu)],
      ...actions.flatMap((action) => {
        if (action.letter === undefined) return []
        const act = ({ dataset }: HTMLElement) => {
          // Rows may have come in between: a place would tell another one.
          const row = rows.find((one) => String(rowKey(one)) === dataset['row'])
          if (row !== undefined && mayRun(action, row)) onRun(action, row)
        }
        return [[action.letter, onRow(act)] as const]
      }),
    ],
    scanPauseMs,
  )
  return null
}

function rowAtHand(frame: HTMLElement | null): HTMLElement | null {
  const place = document.activeElement
  if (frame === null || isFormField(place)) return null
  const row = place?.closest('tr') ?? frame.querySelector<HTMLElement>('tr[aria-current]')
  return row && frame.contains(row) && row.matches('tbody tr:not([data-gone])') ? row : null
}

function openMenu(row: HTMLElement): void {
  const acts = row.querySelector('[data-role="actions"]')
  const menu = acts?.querySelector<HTMLElement>('[aria-haspopup="menu"]')
  if (menu) menu.click()
  else acts?.querySelector('button')?.focus()
}
