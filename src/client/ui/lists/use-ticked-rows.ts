import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { AnswerOf, Endpoint } from '../../../contract/endpoint.ts'
import {
  membersOf,
  totalOf,
  type Collection,
  limitsOf,
  type ListQuery,
  type ListShape,
} from '../../../contract/list.ts'
import { listQuery } from '../../api/queries.ts'
import { say, sayError } from '../../page/messages.ts'
import { mayRun, type RowAction, type RowKey } from './row-actions.ts'
import { useSelection } from './use-selection.ts'

export type Listing = Endpoint & { list: ListShape }
export type RowOf<E extends Listing> = AnswerOf<E> extends Collection<infer Row> ? Row : never

type TickedRowsOptions<E extends Listing, Row> = {
  endpoint: E
  list: ListQuery
  /** Ticks of a page end when it changes. */
  view: string
  page: Collection<unknown> | undefined
  here: readonly Row[]
  rowsOf: (fetched: readonly RowOf<E>[], list: ListQuery) => readonly Row[]
  rowKey: (row: Row) => RowKey
  actions: readonly RowAction<Row>[]
  canTick: boolean
}

/** The ticked rows of the page, or of the whole filtered list up to the server's largest page. */
export function useTickedRows<E extends Listing, Row>(options: TickedRowsOptions<E, Row>) {
  const { endpoint, list, view, page, here, rowsOf, rowKey, actions, canTick } = options
  const canBeTicked = (row: Row) => actions.some((action) => action.runAll && mayRun(action, row))
  const tickable = useMemo(
    () => (canTick ? here.filter(canBeTicked).map(rowKey) : []),
    // oxlint-disable-next-line react/exhaustive-deps -- what a row's key is never changes
    [here, canTick, actions],
  )
  const selection = useSelection(tickable, { page: view, filters: JSON.stringify(list.filters) })
  const { isWhole, keys, everyKey } = selection

  const most = limitsOf(endpoint.list).largest
  const wholeList: ListQuery = { ...list, page: 1, limit: most }
  const wholeQuery = listQuery(endpoint, wholeList)
  const { data } = useQuery({ ...wholeQuery, enabled: isWhole })
  const tickableOf = (whole: unknown) =>
    rowsOf(membersOf(whole as Collection<RowOf<E>>), wholeList).filter(canBeTicked)

  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const chooseWhole = async () => {
    setPending(true)
    try {
      const whole = await client.fetchQuery({ ...wholeQuery, staleTime: 0 })
      const total = totalOf(whole as Collection<unknown>)
      // Others may have come since the page was read.
      if (total > most) say(mostWords(most), 'warn')
      else selection.chooseWhole(tickableOf(whole).map(rowKey))
    } catch (error) {
      sayError(error)
    } finally {
      setPending(false)
    }
  }

  const total = totalOf(page) ?? 0
  const isPageTicked = keys.size > 0 && keys.size === tickable.length
  return {
    selection,
    /** In the list's order and today's state; what has left the list is not ticked. */
    ticked: isWhole
      ? (data ? tickableOf(data) : []).filter((row) => everyKey.has(rowKey(row)))
      : here.filter((row) => keys.has(rowKey(row))),
    whole: {
      isChosen: isWhole,
      isOffered: isWhole || (isPageTicked && total > (membersOf(page)?.length ?? 0)),
      isPending,
      total,
      most,
      choose: () => void chooseWhole(),
      keepPage: selection.keepPage,
    },
  }
}

const mostWords = (most: number): string => `${most} au plus à la fois.`
