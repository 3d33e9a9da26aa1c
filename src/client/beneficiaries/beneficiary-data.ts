import { queryOptions } from '@tanstack/react-query'

import {
  autocompleteBeneficiaries,
  type BeneficiaryChoice,
  getBeneficiary,
} from '../../contract/beneficiaries.ts'
import { membersOf } from '../../contract/list.ts'
import type { SnapshotBeneficiary } from '../../contract/snapshot.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { findReader, libraryToday, searchReaders } from '../../offline/counter.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { ofReadyDevice, serverFirst } from '../api/server-first.ts'

/** From the server or the device. */
export type Reader = Omit<BeneficiaryChoice, '@id' | '@type' | 'birth_year' | 'relatives' | 'sub_id'> & {
  relatives: SnapshotBeneficiary['relatives']
  /** The device does not know it. */
  birth_year?: number | null
}

export const beneficiaryQuery = (id: number) =>
  queryOptions({
    queryKey: ['beneficiaries', 'one', id],
    queryFn: ({ signal }) => call(getBeneficiary, { params: { id }, signal }),
  })

/** The server's ten best, or the device's own when it does not answer. */
export const readerSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['beneficiaries', 'search', text],
    queryFn: ({ signal }) =>
      serverFirst(
        async () => membersOf(await call(autocompleteBeneficiaries, { query: { searchname: text }, signal })),
        () =>
          ofReadyDevice(async () => {
            const today = await libraryToday()
            return (await searchReaders(text)).map((row) => readerOf(row, today))
          }),
      ),
    enabled: text.trim() !== '',
  })

/** `relative` is the id of the relative whose own number it is. */
export type ScannedReader = { reader: Reader; relative: number | null }

/** Also people no longer active; null when nobody carries it. */
export async function findReaderByNumber(code: string, signal?: AbortSignal): Promise<ScannedReader | null> {
  const known = await findReader(code).catch(() => null)
  if (known) {
    return {
      reader: readerOf(known.beneficiary, await libraryToday()),
      relative: known.relative?.id ?? null,
    }
  }
  if (currentConnection() === 'offline') return null
  const found = await call(autocompleteBeneficiaries, {
    query: { searchname: code, with_inactive: '1' },
    signal,
  })
  const reader = membersOf(found).find((one) => carries(one, code))
  if (!reader) return null
  return { reader, relative: reader.relatives.find(({ reader_id }) => reader_id === code)?.id ?? null }
}

export const carries = (reader: Reader, code: string): boolean =>
  [reader.matricule, reader.reader_id, ...reader.relatives.map(({ reader_id }) => reader_id)].includes(code)

/** A reader of the snapshot in the server's form. */
export function readerOf(row: SnapshotBeneficiary, today: CalendarDay): Reader {
  const name = `${row.matricule} - ${row.lastname} ${row.firstname}`.trimEnd()
  return {
    id: row.id,
    label: row.reader_id === null ? name : `${name} - ${row.reader_id}`,
    matricule: row.matricule,
    lastname: row.lastname,
    firstname: row.firstname,
    reader_id: row.reader_id,
    is_active: row.exit_date === null || row.exit_date > today,
    relatives: row.relatives,
  }
}
