import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { type Copy, listCopies } from '../../contract/catalogue.ts'
import { membersOf, type Filter } from '../../contract/list.ts'
import type { Medium } from '../../contract/media.ts'
import type { SnapshotBeneficiary } from '../../contract/snapshot.ts'
import { writtenForms } from '../../domain/bar-code.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import { findBeneficiary, findCopy, findLabel, type KnownCopy, libraryToday } from '../../offline/counter.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from './catalogue-data.ts'
import { copyOfKnown, type CounterCopy } from './counter-copy.ts'

/** Twenty at most. */
const copyLimit = 20

/** At the current site if one is chosen; off line only by the exact bar code. */
export const copySearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['copies', 'search', text],
    queryFn: ({ client, signal }) =>
      serverFirst(
        () => askServer(client, { field: 'searchname', operator: 'like', value: text }, signal),
        async () => {
          const known = await findScannedCopy(writtenForms(text))
          return known ? [copyOfKnown(known)] : []
        },
      ),
    enabled: text.trim() !== '',
    staleTime: 5_000,
  })

/** Null when nobody knows it. */
export async function findCounterCopy(client: QueryClient, code: string): Promise<CounterCopy | null> {
  const forms = writtenForms(code)
  const known = await serverFirst(
    () => askServerForScanned(client, forms),
    () => findScannedCopy(forms),
  )
  return known && copyOfKnown(known)
}

/** From the device; the first form that is known wins. */
const findScannedCopy = async (forms: readonly string[]): Promise<KnownCopy | null> =>
  (await findLabel(forms))?.known ?? null

/** From the server, in the device's form. */
export async function askServerForScanned(
  client: QueryClient,
  forms: string[],
  signal?: AbortSignal,
): Promise<KnownCopy | null> {
  const [page, media] = await Promise.all([
    call(listCopies, {
      list: { limit: copyLimit, filters: [{ field: 'bar_code', operator: 'in', value: forms }] },
      signal,
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const copies = membersOf(page)
  const [copy] = forms.flatMap((form) => copies.filter(({ bar_code }) => bar_code === form))
  return copy ? knownOf(copy, membersOf(media)) : null
}

export const findCounterCopyById = (client: QueryClient, id: number): Promise<CounterCopy | null> =>
  serverFirst(
    async () => (await askServer(client, { field: 'id', operator: 'eq', value: id }))[0] ?? null,
    async () => {
      const copy = await readLibrary(async (library) => (await library?.copyById(id)) ?? null)
      const known = copy && (await findCopy(copy.bar_code))
      // Only the server can say that there is none.
      if (!known) throw new CallError(0, null)
      return copyOfKnown(known)
    },
  )

async function askServer(client: QueryClient, filter: Filter, signal?: AbortSignal): Promise<CounterCopy[]> {
  const [page, media] = await Promise.all([
    call(listCopies, { list: { limit: copyLimit, filters: [filter] }, signal }),
    client.ensureQueryData(mediaQuery),
  ])
  return membersOf(page).map((copy) => copyOfServer(copy, membersOf(media)))
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

async function knownOf(copy: Copy, media: readonly Medium[]): Promise<KnownCopy> {
  const today = await libraryToday()
  const { loaning } = copy
  const medium = copy.medium?.id ?? null
  return {
    copy: {
      ...copy,
      medium,
      status: copy.status_name,
      deleted: false,
    },
    medium: media.find(({ id }) => id === medium) ?? null,
    loan: loaning && {
      loan_id: loaning.id,
      loan_key: null,
      copy_id: copy.id,
      bar_code: copy.bar_code,
      title: copy.name,
      medium,
      // Where it was lent is not told; nearly always it is where the copy belongs.
      site: copy.site,
      beneficiary_id: loaning.beneficiary ?? 0,
      start_date: today,
      end_date: loaning.end_date,
      late: loaning.end_date < today,
      waiting: false,
    },
    borrower:
      loaning &&
      ((await findBeneficiary(loaning.beneficiary ?? 0)) ??
        namedOnly(loaning.beneficiary ?? 0, loaning.beneficiary_name ?? '')),
    capacity: copy.capacity,
    reservations: copy.reservations.map((one) => ({
      ...one,
      beneficiary_info: one.beneficiary_info ?? 'Un autre lecteur',
      reference_id: copy.reference,
      closed: false,
    })),
  }
}

/** Made from `firstname lastname (matricule)`, all that the server told. */
function namedOnly(id: number, told: string): SnapshotBeneficiary {
  const [name, matricule] = nameAndNumber(told)
  return {
    id,
    matricule: matricule ?? '',
    lastname: '',
    firstname: name,
    reader_id: null,
    contract_type: null,
    beneficiary_status: null,
    dossiers: [],
    agency_id: null,
    exit_date: null,
    message: '',
    relatives: [],
    deleted: false,
  }
}
