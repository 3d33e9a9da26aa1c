import { Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useCallbackRef, useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { desktopRem, tabletRem } from './column-widths.ts'
import type { Fit } from './fitting-columns.ts'
import { LoadingText } from '../loading-text.tsx'
import { useIsDesktop, useIsPhone } from '../screen-width.ts'
import { EmptyState, ErrorState } from '../states.tsx'
import { oneTabStop } from './one-tab-stop.ts'
import lines from './phone-lines.module.css'
import styles from './resource-table.module.css'
import { type RowAction, type RowKey, slotsOf, useRunOnce } from './row-actions.ts'
import { RowLetters } from './row-letters.ts'
import { keysUnfilled } from './sparse-columns.ts'
import { type Column, hasLines, type RowWays, TableRow } from './table-row.tsx'
import { useGradually } from '../use-gradually.ts'
import type { ListAddress } from './use-list-address.ts'
import type { Selection } from './use-selection.ts'
import { useInWords } from '../../page/house-words.ts'

export type { Column } from './table-row.tsx'

type ResourceTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** Leaves out the columns that would be cut (`fitTo`). */
  fit?: Fit | undefined
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => RowKey
  nameOf?: (row: Row) => string
  /** Keep the array from one render to the next. */
  actions?: readonly RowAction<Row>[] | undefined
  rowTone?: ((row: Row) => 'bad' | 'wait' | undefined) | undefined
  selection?: Selection | undefined
  gone?: ReadonlySet<RowKey>
  isOpen?: (row: Row) => boolean
  onTouch?: () => void
  onDrawn?: () => void
  address?: Pick<ListAddress, 'list' | 'sort' | 'cycleSort' | 'setPage'>
  total?: number | undefined
  error?: unknown
  onRetry?: () => void
  isStale?: boolean
  empty: string
  emptyAction?: ReactNode
  skeletonRows?: number
}

/** « Action », over a single button. */
const actionHeadRem = 4.25

const nameless = () => ''
const nothing: ReadonlySet<RowKey> = new Set()

/** A table, or cards on a phone, in the same markup, so that everyone reads a row once. */
export function ResourceTable<Row>(props: ResourceTableProps<Row>) {
  const {
    label,
    columns: offered,
    fit,
    rowKey,
    nameOf = nameless,
    actions,
    rowTone,
    selection,
    address,
  } = props
  const { gone = nothing, isOpen, onTouch, onDrawn, error, onRetry, isStale, empty, emptyAction } = props
  useGoToLastPage(props)
  const isFine = useMediaQuery(finePointer, matchMedia(finePointer).matches)
  const slots = useMemo(() => slotsOf(actions ?? [], isFine), [actions, isFine])
  const runOnce = useRunOnce()
  const onRun: RowWays<Row>['onRun'] = useCallbackRef((action, row) =>
    runOnce(`${action.key} ${rowKey(row)}`, () => action.run(row)),
  )
  const hasMenu = slots.length < (actions?.length ?? 0)
  const buttonsRem = (slots.length + (hasMenu ? 1 : 0)) * (isFine ? 2.5 : 2.75) + 1
  const actionsRem = Math.max(buttonsRem, actionHeadRem)
  const taken = (selection ? tickRem : 0) + (actions ? actionsRem : 0)
  const isTablet = !useIsDesktop()
  const isInLines = useIsPhone() && hasLines(offered)
  const inWords = useInWords()
  // While rows are on their way as well, so that none is drawn to go again.
  const unfilled = keysUnfilled(offered, props.rows, address?.sort?.field)
  const columns = useMemo(() => {
    const filled = offered.filter(({ key }) => !unfilled.split(' ').includes(key))
    return (fit?.(filled, { taken, isTablet }) ?? filled).map((column) => ({
      ...column,
      title: inWords(column.title),
    }))
  }, [offered, unfilled, fit, taken, isTablet, inWords])
  const rowProps = {
    columns,
    nameOf: useCallbackRef(nameOf),
    actions,
    slots,
    onRun,
    onTick: selection?.toggle,
    isInLines,
  }
  // An empty page after the first is being replaced, so its rows are on their way.
  const isOnItsWay = isStale || (address !== undefined && address.list.page > 1)
  const rows = props.rows?.length === 0 && isOnItsWay ? undefined : props.rows
  const shown = useGradually(rows?.length ?? 0)
  const frame = useRef<HTMLDivElement>(null)
  const [wasDrawn, setDrawn] = useState(false)
  if (!wasDrawn && rows !== undefined && shown >= rows.length) setDrawn(true)
  useEffect(() => onDrawn?.(), [onDrawn, rows, shown])
  if (error && !rows) return <ErrorState error={error} onRetry={onRetry ?? (() => undefined)} />
  if (rows?.length === 0) return <EmptyState message={empty} action={emptyAction} />
  const onTablet = tabletWidths(columns, taken)
  const headed = isInLines ? columns.filter(({ role }) => role === 'main') : columns
  return (
    <div
      ref={frame}
      className={`${styles['frame']} ${lines['frame']}`}
      data-lines={isInLines || undefined}
      data-stale={isStale || undefined}
      data-coming={!wasDrawn || undefined}
    >
      {rows ? null : <LoadingText />}
      {rows && actions?.some(({ letter }) => letter) ? (
        <RowLetters
          frame={frame}
          rows={rows}
          rowKey={rowKey}
          actions={actions}
          onRun={(action, row) => {
            onTouch?.()
            onRun(action, row)
          }}
        />
      ) : null}
      <table
        ref={oneTabStop}
        className={`${styles['table']} ${lines['table']}`}
        data-lines={isInLines || undefined}
        aria-busy={!rows}
        data-settling={(!rows && offered.some(({ sparse }) => sparse)) || undefined}
        onPointerOver={tellWhole}
      >
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {selection ? <TickAll selection={selection} /> : null}
            {headed.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-role={column.role}
                data-align={column.align}
                style={{ '--width': widthOf(column), '--tablet': onTablet(column) } as CSSProperties}
                {...ariaSort(address, column.order)}
              >
                <HeaderCell column={column} address={address} />
              </th>
            ))}
            {actions ? (
              <th
                scope="col"
                data-role="actions"
                data-align="end"
                style={{ '--width': `${actionsRem}rem` } as CSSProperties}
              >
                Action
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody onClickCapture={onTouch}>
          {rows
            ? rows
                .slice(0, shown)
                .map((row) => (
                  <TableRow
                    key={rowKey(row)}
                    {...rowProps}
                    row={row}
                    id={rowKey(row)}
                    tone={rowTone?.(row)}
                    canBeTicked={selection?.tickable.has(rowKey(row)) ?? false}
                    isTicked={selection?.keys.has(rowKey(row)) ?? false}
                    isGone={gone.has(rowKey(row))}
                    isOpen={isOpen?.(row) ?? false}
                  />
                ))
            : Array.from({ length: props.skeletonRows ?? 8 }, (_, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
                <tr key={index}>
                  {selection ? <td data-role="select" /> : null}
                  {headed.map((column) => (
                    <td
                      key={column.key}
                      data-title={column.title}
                      data-role={column.role}
                      data-face={column.face ? true : undefined}
                    >
                      {column.face ? <Skeleton width="1.75rem" height="2.45rem" /> : null}
                      <Skeleton height="1.2em" />
                    </td>
                  ))}
                  {actions ? <td data-role="actions" /> : null}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

const finePointer = '(min-width: 1200px) and (pointer: fine)'

const tickRem = 2.75

/** The others share a tablet's table beside these and `takenRem`; the main column gets the most. */
function tabletWidths<Row>(columns: readonly Column<Row>[], takenRem: number) {
  const shareOf = ({ width = 12.5, role }: Column<Row>) => (role === 'main' ? 20 : width)
  const shown = columns.filter(({ role }) => role !== 'extra')
  const kept = shown.reduce((sum, column) => sum + (tabletRem(column) ?? 0), takenRem)
  const shares = shown.reduce((sum, column) => sum + (tabletRem(column) === null ? shareOf(column) : 0), 0)
  return (column: Column<Row>): string => {
    const rem = tabletRem(column)
    if (rem !== null) return `${rem}rem`
    return `max(6rem, (100cqi - ${kept}rem) * ${(shareOf(column) / shares).toFixed(4)})`
  }
}

const widthOf = <Row,>(column: Column<Row>): string => {
  const rem = desktopRem(column)
  return rem === null ? 'auto' : `${rem}rem`
}

function tellWhole({ target }: React.PointerEvent) {
  const cell = target instanceof Element ? target.closest('td') : null
  if (cell === null || cell.dataset['role'] === 'actions') return
  const title = cell.querySelector(`.${styles['title']}`)
  const isCut = title ? title.scrollHeight > title.clientHeight : cell.scrollWidth > cell.clientWidth
  if (isCut) cell.title = cell.textContent.trim()
  else cell.removeAttribute('title')
}

function TickAll({ selection: { keys, tickable, toggleAll } }: { selection: Selection }) {
  const count = tickable.size
  return (
    <th scope="col" data-role="select">
      <label className={styles['tick']}>
        <input
          type="checkbox"
          aria-label="Choisir toute la page"
          // Work goes on here when the bar over the list goes.
          data-next-field
          checked={count > 0 && keys.size === count}
          disabled={count === 0}
          onChange={toggleAll}
          ref={(box) => {
            if (box) box.indeterminate = keys.size > 0 && keys.size < count
          }}
        />
      </label>
    </th>
  )
}

function useGoToLastPage<Row>({ rows, address, total, isStale }: ResourceTableProps<Row>): void {
  const setPage = useCallbackRef((page: number) => address?.setPage(page))
  const { page, limit } = address?.list ?? { page: 1, limit: 1 }
  const isPast = rows?.length === 0 && !isStale && total !== undefined && page > 1
  const last = Math.max(1, Math.ceil((total ?? 0) / limit))
  useEffect(() => {
    if (isPast) setPage(last)
  }, [isPast, last, setPage])
}

function HeaderCell<Row>({
  column,
  address,
}: {
  column: Column<Row>
  address: ResourceTableProps<Row>['address']
}) {
  const { order, title } = column
  if (!order || !address) return title
  const direction = address.sort?.field === order ? address.sort.direction : null
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort
  return (
    <UnstyledButton
      className={styles['sort']}
      data-active={direction ?? undefined}
      onClick={() => address.cycleSort(order)}
    >
      {title}
      <Icon size="1em" aria-hidden />
    </UnstyledButton>
  )
}

function ariaSort(address: Pick<ListAddress, 'sort'> | undefined, order: string | undefined) {
  if (!order || address?.sort?.field !== order) return {}
  return { 'aria-sort': address.sort.direction === 'asc' ? 'ascending' : 'descending' } as const
}
