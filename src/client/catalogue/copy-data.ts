import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { type Copy, listCopies, type Medium } from '../../contract/catalogue.ts'
import type { Filter } from '../../contract/list.ts'
import { writtenForms } from '../../domain/bar-code.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { CalendarUnit, CopyState, CopyStatus } from '../../domain/loan-rules.ts'
import { readerName } from '../../domain/person-names.ts'
import type { Reservation } from '../../domain/reservation-rules.ts'
import { findCopy, type KnownCopy } from '../../offline/counter.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from './catalogue-data.ts'

/** A copy with what lending it takes, whether the server or the device's own data told of it. */
export type CounterCopy = {
  id: number
  bar_code: string
  name: string
  reference: number
  status: CopyStatus
  state: CopyState
  price: string
  type: Copy['type']
  cycle_type: CalendarUnit | null
  cycle_value: number | null
  medium: Medium | null
  /** Who waits for it, first served first. */
  reservations: (Reservation & { id: number; beneficiary_name: string })[]
  /** Who has it; 0 and an empty name where the person is not known. */
  holder: { beneficiary: number; beneficiary_name: string; end_date: CalendarDay } | null
}

/** Copies are searched twenty at most (file 1, section 9). */
const copyLimit = 20

/**
 * Copies by title, author or bar code; the current site's when one is chosen. Off line the device finds a copy by the exact code
 * it carries only.
 */
export const copySearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['copies', 'search', text],
    queryFn: ({ client, signal }) =>
      serverFirst(
        () => askServer(client, { field: 'searchname', operator: 'like', value: text }, signal),
        async () => {
          const known = await findScannedCopy(text)
          return known ? [copyOfDevice(known)] : []
        },
      ),
    enabled: text.trim() !== '',
    staleTime: 5_000,
  })

/** The copy whose label was scanned, as it stands now; null when nobody knows it. */
export function findCounterCopy(client: QueryClient, scan: string): Promise<CounterCopy | null> {
  const forms = writtenForms(scan)
  return serverFirst(
    async () => {
      const [only = '', ...others] = forms
      const found = await askServer(
        client,
        others.length === 0
          ? { field: 'bar_code', operator: 'eq', value: only }
          : { field: 'bar_code', operator: 'in', value: forms },
      )
      return forms.flatMap((form) => found.filter(({ bar_code }) => bar_code === form))[0] ?? null
    },
    async () => {
      const known = await findScannedCopy(scan)
      return known && copyOfDevice(known)
    },
  )
}

/** The copy whose label was scanned, by the device's own data. */
export async function findScannedCopy(scan: string): Promise<KnownCopy | null> {
  for (const form of writtenForms(scan)) {
    const known = await findCopy(form)
    if (known) return known
  }
  return null
}

export const findCounterCopyById = (client: QueryClient, id: number): Promise<CounterCopy | null> =>
  serverFirst(
    async () => (await askServer(client, { field: 'id', operator: 'eq', value: id }))[0] ?? null,
    async () => {
      const copy = await readLibrary(async (library) => (await library?.copyById(id)) ?? null)
      const known = copy && (await findCopy(copy.bar_code))
      // Only the server can say that there is none.
      if (!known) throw new CallError(0, null)
      return copyOfDevice(known)
    },
  )

async function askServer(client: QueryClient, filter: Filter, signal?: AbortSignal): Promise<CounterCopy[]> {
  const [page, media] = await Promise.all([
    call(listCopies, { list: { limit: copyLimit, filters: [filter] }, signal }),
    client.ensureQueryData(mediaQuery),
  ])
  return page['hydra:member'].map((copy) => copyOfServer(copy, media['hydra:member']))
}

const copyOfServer = (
  { status_name, loaning, medium, reservations, ...copy }: Copy,
  media: readonly Medium[],
): CounterCopy => ({
  ...copy,
  status: status_name,
  medium: media.find(({ id }) => id === medium?.id) ?? null,
  reservations: reservations.map((one) => ({
    ...one,
    beneficiary_name: one.beneficiary_name ?? 'Un autre lecteur',
  })),
  holder: loaning && {
    ...loaning,
    beneficiary: loaning.beneficiary ?? 0,
    beneficiary_name: loaning.beneficiary_name ?? '',
  },
})

const copyOfDevice = ({ copy, medium, loan, borrower, reservations }: KnownCopy): CounterCopy => ({
  ...copy,
  medium,
  reservations: reservations.map((one) => ({
    ...one,
    beneficiary_name: one.beneficiary_name ?? one.beneficiary_info,
  })),
  holder: loan && {
    beneficiary: loan.beneficiary_id,
    beneficiary_name: borrower ? readerName(borrower) : '',
    end_date: loan.end_date,
  },
})
