import { useCallbackRef } from '@mantine/hooks'
import type { IconDots } from '@tabler/icons-react'
import { useRef } from 'react'

import { sayError } from '../../page/messages.ts'

export type RowKey = string | number

/** An action as a row's button, its menu's item, and a button over the list for several rows. */
export type RowAction<Row> = {
  key: string
  label: string
  Icon: typeof IconDots
  may?: (row: Row) => boolean
  run: (row: Row) => unknown
  runAll?: (rows: readonly Row[]) => unknown
  /** What the button over several rows says, where it is not the same. */
  labelOfAll?: string
  /** `bad` loses something, and stays inside the menu. */
  tone?: 'bad'
  /** In reach of a finger too, because the list is opened for it. */
  isMain?: true
  /** Its key in a list (`withLetters`). */
  letter?: string
}

export const mayRun = <Row>({ may }: Pick<RowAction<Row>, 'may'>, row: Row): boolean => may?.(row) ?? true

/** The actions for rows that stand for something else, or for nothing. */
export const actionsOver = <Of, Row>(
  actions: readonly RowAction<Of>[],
  of: (row: Row) => Of | null,
): readonly RowAction<Row>[] =>
  actions.map((action) => {
    const { runAll, ...rest } = action
    return {
      ...rest,
      may: (row) => {
        const one = of(row)
        return one !== null && mayRun(action, one)
      },
      run: (row) => {
        const one = of(row)
        return one === null ? undefined : action.run(one)
      },
      ...(runAll ? { runAll: (rows: readonly Row[]) => runAll(rows.flatMap((row) => of(row) ?? [])) } : {}),
    }
  })

const buttons = 2

/** The actions that are buttons, at the same place on every row; the others are in the menu. */
export const slotsOf = <Row>(
  actions: readonly RowAction<Row>[],
  isFine: boolean,
): readonly RowAction<Row>[] =>
  isFine
    ? actions.filter(({ tone }) => tone !== 'bad').slice(0, buttons)
    : actions.filter(({ isMain }) => isMain)

/** Runs actions once even if pressed twice, and tells errors. */
export function useRunOnce() {
  const running = useRef(new Set<string>())
  return useCallbackRef((name: string, act: () => unknown) => {
    if (running.current.has(name)) return
    running.current.add(name)
    void Promise.resolve()
      .then(act)
      .catch(sayError)
      .finally(() => running.current.delete(name))
  })
}
