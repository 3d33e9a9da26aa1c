import { useCallbackRef } from '@mantine/hooks'
import type { IconDots } from '@tabler/icons-react'
import { useRef } from 'react'

import { sayError } from '../page/messages.ts'

export type RowKey = string | number

/** What can be done with a row of a list: a button, an item of its menu, and a button over the list when it can be done to several. */
export type RowAction<Row> = {
  key: string
  label: string
  Icon: typeof IconDots
  /** Whether it can be done with a row; with every one unless said. */
  may?: (row: Row) => boolean
  run: (row: Row) => unknown
  /** Does it to several rows at once, each of which may have it. */
  runAll?: (rows: readonly Row[]) => unknown
  /** `bad`: something is lost; it is never in reach without opening the menu. */
  tone?: 'bad'
  /** In reach of a finger too: the one that the list is opened for. */
  isMain?: true
}

export const mayRun = <Row>({ may }: Pick<RowAction<Row>, 'may'>, row: Row): boolean => may?.(row) ?? true

/** The same actions for rows that stand for something else, or for nothing that they could be done with. */
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

/** How many actions stand as buttons where the pointer is fine. */
const buttons = 2

/** Which actions stand as buttons, each at the same place on every row; the others are in the menu. */
export const slotsOf = <Row>(
  actions: readonly RowAction<Row>[],
  isFine: boolean,
): readonly RowAction<Row>[] =>
  isFine
    ? actions.filter(({ tone }) => tone !== 'bad').slice(0, buttons)
    : actions.filter(({ isMain }) => isMain)

/** Runs actions of rows; pressed twice, one acts once. What goes wrong is said. */
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
