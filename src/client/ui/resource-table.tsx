import { Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { memo, type ReactNode, useEffect } from 'react'

import { LoadingText } from './loading-text.tsx'
import { EmptyState, ErrorState } from './states.tsx'
import styles from './resource-table.module.css'
import { useGradually } from './use-gradually.ts'
import type { ListAddress } from './use-list-address.ts'

export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Field of `order[field]`, where the column sorts. */
  order?: string
  /** `main` heads the card on a phone; `extra` leaves the table on a tablet; a `day` is never broken. */
  role?: 'main' | 'extra' | 'day'
  align?: 'end'
}

type ResourceTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  /** Buttons of a row, in the trailing Action column. */
  actions?: ((row: Row) => ReactNode) | undefined
  rowTone?: (row: Row) => 'bad' | 'wait' | undefined
  address?: Pick<ListAddress, 'list' | 'sort' | 'cycleSort' | 'setPage'>
  /** How many rows all pages have. */
  total?: number | undefined
  error?: unknown
  onRetry?: () => void
  /** Rows of the page before, while the next one loads. */
  isStale?: boolean
  empty: string
  emptyAction?: ReactNode
  skeletonRows?: number
}

/** A list: a table where there is room, cards on a phone; the same markup, so that a row is read once by everyone. */
export function ResourceTable<Row>(props: ResourceTableProps<Row>) {
  const { label, columns, rowKey, actions, rowTone, address, error, onRetry, isStale, empty, emptyAction } =
    props
  useGoToLastPage(props)
  // The page before had nothing, or this one does not exist: what there is is on its way.
  const isOnItsWay = isStale || (address !== undefined && address.list.page > 1)
  const rows = props.rows?.length === 0 && isOnItsWay ? undefined : props.rows
  const shown = useGradually(rows?.length ?? 0)
  if (error && !rows) return <ErrorState error={error} onRetry={onRetry ?? (() => undefined)} />
  if (rows?.length === 0) return <EmptyState message={empty} action={emptyAction} />
  return (
    <div className={styles['frame']} data-stale={isStale || undefined}>
      {rows ? null : <LoadingText />}
      <table className={styles['table']} aria-busy={!rows}>
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-role={column.role}
                data-align={column.align}
                {...ariaSort(address, column.order)}
              >
                <HeaderCell column={column} address={address} />
              </th>
            ))}
            {actions ? (
              <th scope="col" data-role="actions" data-align="end">
                Action
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows
                .slice(0, shown)
                .map((row) => (
                  <TableRow
                    key={rowKey(row)}
                    row={row}
                    columns={columns}
                    actions={actions}
                    tone={rowTone?.(row)}
                  />
                ))
            : Array.from({ length: props.skeletonRows ?? 8 }, (_, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column.key} data-title={column.title} data-role={column.role}>
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

/** The last line of the last page may have been dealt with: the page before it is then shown. */
function useGoToLastPage<Row>({ rows, address, total, isStale }: ResourceTableProps<Row>): void {
  const setPage = useCallbackRef((page: number) => address?.setPage(page))
  const { page, limit } = address?.list ?? { page: 1, limit: 1 }
  const isPast = rows?.length === 0 && !isStale && total !== undefined && page > 1
  const last = Math.max(1, Math.ceil((total ?? 0) / limit))
  useEffect(() => {
    if (isPast) setPage(last)
  }, [isPast, last, setPage])
}

type TableRowProps<Row> = Pick<ResourceTableProps<Row>, 'columns' | 'actions'> & {
  row: Row
  tone: 'bad' | 'wait' | undefined
}

/** Drawn again only when its row changes, its tone, or how rows are drawn: keep columns and actions from one render to the next. */
const TableRow = memo(function TableRow<Row>({ row, columns, actions, tone }: TableRowProps<Row>) {
  return (
    <tr data-tone={tone}>
      {columns.map((column) => (
        <td key={column.key} data-title={column.title} data-role={column.role} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
      {actions ? (
        <td data-role="actions">
          <div className={styles['actions']}>{actions(row)}</div>
        </td>
      ) : null}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

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
