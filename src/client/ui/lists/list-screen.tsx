import { Button, Stack } from '@mantine/core'
import { IconPrinter, IconDownload, IconSortAscending } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, type RefObject, useImperativeHandle, useMemo, useState } from 'react'
import { useLocation, useOutlet } from 'react-router-dom'

import { fileTypes } from '../../../contract/file-types.ts'
import type { FilteredList } from '../../../contract/filters.ts'
import { totalOf, membersOf, type Collection, type Filter, type ListQuery } from '../../../contract/list.ts'
import { type Export, listQuery, type ExportQuery, useExport } from '../../api/queries.ts'
import { useInWords } from '../../page/house-words.ts'
import { sayError } from '../../page/messages.ts'
import { usePreferences } from '../../page/preferences.ts'
import { useConfirm } from '../dialogs/confirm.tsx'
import type { Noun } from '../nouns.ts'
import { ActionButton, beginnings, type PageAction } from '../page-actions.tsx'
import { Page } from '../page.tsx'
import { printOut } from '../printing.ts'
import { saveFile } from '../save-file.ts'
import { useHasRoomToTick, useIsDesktop, useIsPhone } from '../screen-width.ts'
import { useDebounced } from '../use-debounced.ts'
import { BesideList, DetailKeys, useRowInSight } from './beside-list.tsx'
import { BulkBar, type UnderWay } from './bulk-bar.tsx'
import { Filters } from './filter-bar.tsx'
import { type ListFilter, namesOf } from './filters.tsx'
import { fitTo } from './fitting-columns.ts'
import { ColumnsMenu, RefreshButton, ToolButton, useChooseFilters } from './list-tools.tsx'
import { useOwnFilters } from './own-filters.ts'
import { Pager } from './pager.tsx'
import { type Column, ResourceTable } from './resource-table.tsx'
import { type RowAction, type RowKey, useRunOnce } from './row-actions.ts'
import { withLetters } from './row-letters.ts'
import { useHeldRows } from './use-held-rows.ts'
import { type ListAddress, type SortCycle, useListAddress, withOnly } from './use-list-address.ts'
import { useListViews, type ViewsOfList } from './use-list-views.ts'
import { type Listing, type RowOf, useTickedRows } from './use-ticked-rows.ts'
import { ViewTabs } from './view-tabs.tsx'

const PrintList = lazy(() => import('./print-list.tsx'))

type ListScreenProps<E extends Listing, Row> = {
  endpoint: E
  title: string
  noun: Noun
  about?: ReactNode
  filters: readonly ListFilter[]
  /** Keep the array, or the function of the filters, from one render to the next. */
  columns: readonly Column<Row>[] | ((values: ListAddress['values']) => readonly Column<Row>[])
  /** Filters that always hold unseen, such as `{ 'type|eq': 'delay' }`. */
  only?: Record<string, string>
  /** Filters in force until the person changes them. */
  defaults?: Record<string, string>
  cycle?: SortCycle
  savedAs?: FilteredList
  /** Exports the whole list, or the ticked rows, whose keys must then be ids. */
  exported?: Export
  /** Other papers that are made of the whole list, such as cards. */
  printed?: {
    label: string
    print: (list: Pick<ListQuery, 'filters' | 'order'>) => void
    counted: (total: number) => string
  }
  /** Tabs over the list that keep filters, order and columns under names. */
  views?: ViewsOfList
  pageActions?: readonly PageAction[]
  /** Lays something over the server's rows; keep the function as long as it answers the same. */
  rowsOf?: (fetched: readonly RowOf<E>[], list: ListQuery) => readonly Row[]
  rowKey: (row: Row) => RowKey
  rowName: (row: Row) => string
  /** Keep the array from one render to the next. */
  rowActions?: readonly RowAction<Row>[] | undefined
  underWay?: UnderWay | null
  rowTone?: (row: Row) => 'bad' | 'wait' | undefined
  /** The address of a row's detail; keep the function from one render to the next. */
  detailOf?: (row: Row) => string | null
  /** A change of it sorts the rows again. */
  orderedFor?: string | number
  /** How long choices in the filters are gathered before the list is asked for; at once unless said. */
  reloadMs?: number
  /** For lists whose changes nothing announces. */
  refreshMs?: number
  /** One such, for whoever has none yet. */
  example?: string
  /** The actions that an empty list offers. */
  whenEmpty?: readonly PageAction[]
  children?: ReactNode
}

const noOthers: Record<string, string> = {}
const none: readonly never[] = []
const asFetched = (fetched: readonly unknown[]) => fetched as never

/** A collection as a page. It tells loading, failing, empty and filtered to nothing apart. */
export function ListScreen<E extends Listing, Row = RowOf<E>>(props: ListScreenProps<E, Row>) {
  const detail = useOutlet()
  const hasRoom = useIsDesktop()
  return (
    <BesideList
      detail={detail}
      hasRoom={hasRoom}
      list={(isBeside, room, hold) => (
        <List<E, Row> {...props} isBeside={isBeside} room={room} holdRef={hold} />
      )}
    />
  )
}

type ListProps<E extends Listing, Row> = ListScreenProps<E, Row> & {
  isBeside: boolean
  /** In rem, null on a phone. */
  room: number | null
  holdRef: RefObject<() => void>
}

function List<E extends Listing, Row>(props: ListProps<E, Row>) {
  const { endpoint, title, noun, about, filters, columns, only = noOthers, defaults = noOthers } = props
  const { cycle = 'asc-first', pageActions = none, rowsOf = asFetched, rowKey, rowName, rowActions } = props
  const { example, savedAs, exported, rowTone, orderedFor = 0, refreshMs, whenEmpty = none, children } = props
  const { detailOf, isBeside, room, holdRef, printed, underWay = null, reloadMs } = props
  const { pathname } = useLocation()
  const inWords = useInWords()
  const address = useListAddress(endpoint.list, { cycle, defaults })
  const wanted = withOnly(address, only)
  const list = useStillList(wanted, filters, address.values, reloadMs)
  const ownFilters = useOwnFilters(savedAs, filters, address.values)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...listQuery(endpoint, list),
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  })
  const page = data as Collection<RowOf<E>> | undefined
  const total = totalOf(page)

  const confirm = useConfirm()
  const askPrint = async ({ label, print: send, counted }: NonNullable<typeof printed>) => {
    const isMeant = await confirm({ title: label, message: `${counted(total ?? 0)} Continuer\u202f?` })
    if (isMeant) send(list)
  }
  const view = JSON.stringify([list, orderedFor, isPlaceholderData])
  const rows = useMemo(
    () => page && rowsOf(membersOf(page), list),
    // oxlint-disable-next-line react/exhaustive-deps -- a page is of one list
    [page, rowsOf],
  )
  const held = useHeldRows(rows, rowKey, view)
  useImperativeHandle(holdRef, () => held.hold, [held.hold])
  const lookForOpen = useRowInSight(isBeside && detailOf ? pathname : null)
  const here = useMemo(
    () => (held.rows ?? []).filter((row) => !held.gone.has(rowKey(row))),
    // oxlint-disable-next-line react/exhaustive-deps -- what a row's key is never changes
    [held.rows, held.gone],
  )
  const canTick = useHasRoomToTick() && rowActions?.some(({ runAll }) => runAll) === true
  const { selection, ticked, whole } = useTickedRows({
    endpoint,
    list,
    view,
    page,
    here,
    rowsOf,
    rowKey,
    canTick,
    actions: rowActions ?? none,
  })
  const runOnce = useRunOnce()
  const { lone_keys } = usePreferences()
  const actions = useMemo(
    () => (rowActions && lone_keys ? withLetters(rowActions) : rowActions),
    [rowActions, lone_keys],
  )

  const offered = useMemo(
    () => (typeof columns === 'function' ? columns(address.values) : columns),
    [columns, address.values],
  )
  const isPhone = useIsPhone()
  const [views, hidden, hide] = useListViews({ views: props.views, endpoint, address, defaults, only })
  const shown = useMemo(
    () => offered.filter((column) => !mayHide(column) || !hidden.includes(column.key)),
    [offered, hidden],
  )
  const print = () =>
    printOut(
      <PrintList
        endpoint={endpoint}
        list={list}
        title={inWords(title)}
        noun={noun}
        columns={shown as readonly Column<unknown>[]}
        filters={filters}
        values={address.values}
        rowsOf={rowsOf}
        rowKey={rowKey as never}
      />,
    )
  // What the screen sets by itself is no filter of the person.
  const isFiltered = Object.entries(address.values).some(([name, value]) => value !== defaults[name])
  const current = views?.current ?? null
  const isOwnView = current !== null && current.kept === null

  const exportAs = useExportAction(exported)
  const choosing = useChooseFilters(savedAs ? { list: savedAs, filters, shown: ownFilters } : null)
  const columnsInSight = shown.map(({ key }) => key)
  const isPart = total !== undefined && here.length > 0 && here.length < total
  const sorts = shown.flatMap(({ title: of, order }) => {
    if (order === undefined) return []
    const way = address.sort?.field === order ? address.sort.direction : null
    const said = way === null ? '' : way === 'asc' ? ', croissant' : ', décroissant'
    return [{ label: `${inWords(of)}${said}`, onRun: () => address.cycleSort(order) }]
  })
  const refresh = () => {
    held.release()
    void refetch()
  }

  return (
    <Page
      title={title}
      actions={[
        // Over ticked rows it exports them.
        ...(exportAs && ticked.length === 0
          ? [
              exportAs(
                list,
                columnsInSight,
                isPart ? { filters: [amongIds(here.map(rowKey))], order: list.order } : undefined,
              ),
            ]
          : []),
        ...pageActions,
      ]}
      rest={[
        ...(isPhone && choosing.action ? [choosing.action] : []),
        // A phone shows no header to press.
        ...(isPhone && sorts.length > 0
          ? [{ label: 'Trier par', Icon: IconSortAscending, choices: sorts }]
          : []),
        { label: 'Imprimer la liste', Icon: IconPrinter, onRun: print },
        ...(printed
          ? [{ label: printed.label, Icon: IconPrinter, onRun: () => void askPrint(printed) }]
          : []),
      ]}
    >
      <Stack gap="var(--page-gap)" className="in-turn">
        {about}
        <Stack gap="sm" className="in-turn" data-whole>
          {views ? (
            <ViewTabs views={views} hide={hide} total={isPlaceholderData ? undefined : total} />
          ) : null}
          <Filters
            filters={ownFilters}
            address={address}
            isNarrow={isBeside}
            tools={
              <>
                <RefreshButton hasChanged={held.hasChanged} onRefresh={refresh} />
                {choosing.action && !isPhone ? <ToolButton {...choosing.action} /> : null}
                {isPhone || isBeside ? null : (
                  <ColumnsMenu columns={offered.filter(mayHide)} hidden={hidden} onChange={hide} />
                )}
              </>
            }
            instead={
              ticked.length > 0 || underWay ? (
                <BulkBar
                  rows={ticked}
                  noun={noun}
                  actions={rowActions ?? none}
                  whole={whole}
                  underWay={underWay}
                  isEscapeTaken={isBeside}
                  tools={
                    exportAs ? (
                      <ActionButton
                        action={exportAs(
                          { filters: [amongIds(ticked.map(rowKey))], order: list.order },
                          columnsInSight,
                        )}
                      />
                    ) : null
                  }
                  onRun={(action, rows) => {
                    held.hold()
                    runOnce(action.key, () => action.runAll?.(rows))
                  }}
                  onClear={selection.clear}
                />
              ) : undefined
            }
          />
          <ResourceTable
            label={inWords(title)}
            columns={shown}
            fit={room ? fitTo(room) : undefined}
            rows={held.rows}
            rowKey={rowKey}
            nameOf={rowName}
            actions={actions}
            rowTone={rowTone}
            selection={canTick ? selection : undefined}
            gone={held.gone}
            isOpen={(row) => isBeside && detailOf?.(row) === pathname}
            onTouch={held.hold}
            onDrawn={lookForOpen}
            address={address}
            error={error}
            onRetry={refetch}
            isStale={isPlaceholderData || list !== wanted}
            total={total}
            empty={
              current?.empty !== undefined
                ? inWords(current.empty)
                : !isFiltered
                  ? noneYet(noun, example)
                  : isOwnView
                    ? `${noun.none} dans cette vue.`
                    : `${noun.none} ne correspond à ces filtres.`
            }
            emptyAction={
              !isFiltered ? (
                beginnings(whenEmpty)
              ) : isOwnView ? undefined : (
                <Button variant="default" onClick={address.clearFilters}>
                  Effacer les filtres
                </Button>
              )
            }
          />
          <Pager address={address} total={total} one={noun.one} many={noun.many} none={noun.none} />
        </Stack>
      </Stack>
      {isBeside && detailOf ? (
        <DetailKeys paths={(held.rows ?? []).flatMap((row) => detailOf(row) ?? [])} />
      ) : null}
      {choosing.dialog}
      {children}
    </Page>
  )
}

const noneYet = ({ none }: Noun, example: string | undefined): string =>
  `${none} pour l’instant.${example ? ` Par exemple\u202f: ${example}.` : ''}`

const mayHide = ({ role }: Pick<Column<never>, 'role'>): boolean => role !== 'main'

/** Finds exactly these rows, even if they left the filters meanwhile. */
const amongIds = (ids: readonly RowKey[]): Filter => ({ field: 'id', operator: 'in', value: [...ids] })

/** A list as it is asked for: what is chosen in its filters waits until nothing was chosen for `ms`, so that several choices are one call. */
function useStillList(
  list: ListQuery,
  filters: readonly ListFilter[],
  values: ListAddress['values'],
  ms: number | undefined,
): ListQuery {
  // A text has waited in its field already.
  const chosen = filters.flatMap((filter) =>
    ms === undefined || filter.kind === 'search' ? [] : namesOf(filter).map((name) => values[name] ?? ''),
  )
  const now = JSON.stringify(chosen)
  const isStill = useDebounced(now, ms) === now
  const [asked, ask] = useState(list)
  if (ms === undefined) return list
  if (!isStill) return asked
  if (JSON.stringify(asked) !== JSON.stringify(list)) ask(list)
  return list
}

type Exported = Pick<ListQuery, 'filters' | 'order'>

/**
 * The action that makes a file of a list, with the columns that the person sees, in their order, or with all of them; `page` is the
 * rows in sight, where the list goes on beyond them.
 */
function useExportAction(endpoint: Export | undefined) {
  const { mutateAsync, isPending } = useExport(endpoint)
  if (!endpoint) return null
  return (list: Exported, columns: readonly string[], page?: Exported): PageAction => {
    const make = ({ filters, order }: Exported, query: ExportQuery) =>
      void mutateAsync({ list: { filters, order }, query }).then(saveFile, (error: unknown) =>
        sayError(error, 'Le fichier n’a pas pu être fait.'),
      )
    const shown = { columns: columns.join(',') }
    const offers = [
      { of: '', list, query: shown },
      ...(page ? [{ of: 'Cette page\u202f: ', list: page, query: shown }] : []),
      { of: 'Toutes les colonnes\u202f: ', list, query: {} },
    ]
    return {
      label: 'Exporter',
      Icon: IconDownload,
      isLoading: isPending,
      choices: offers.flatMap(({ of, list: rows, query }, offer) =>
        endpoint.files.map((type, at) => ({
          label: `${of}${fileTypes[type].label}`,
          onRun: () => make(rows, { ...query, export_type: type }),
          isApart: offer > 0 && at === 0,
        })),
      ),
    }
  }
}
