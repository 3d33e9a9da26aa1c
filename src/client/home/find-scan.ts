import type { QueryClient } from '@tanstack/react-query'

import { type Copy, listCopies, type Medium } from '../../contract/catalogue.ts'
import type { SnapshotBeneficiary } from '../../contract/snapshot.ts'
import { classifyBarCode, type Symbology, writtenForms } from '../../domain/bar-code.ts'
import {
  findBeneficiary,
  findCopy,
  findLentHere,
  findReader,
  type KnownCopy,
  libraryToday,
} from '../../offline/counter.ts'
import { findReaderByNumber, readerOf } from '../beneficiaries/beneficiary-data.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { currentSession } from '../api/session.ts'
import type { Found, LaneCopy } from './lane.ts'

/** The queue of scans stands still while the server is asked: not for longer than this. */
const longestAskMs = 4_000

/** What a code stands for: by what the device knows, then, on line, by the server. */
export async function findScan(
  client: QueryClient,
  isMultisite: boolean,
  text: string,
  symbology?: Symbology,
): Promise<Found> {
  const forms = writtenForms(text, symbology)
  const today = await libraryToday()
  for (const form of forms) {
    const known = await findCopy(form, today)
    if (known) return { kind: 'copy', copy: laneCopyOf(known) }
  }
  for (const form of forms) {
    const loan = await findLentHere(form, today)
    if (loan) return { kind: 'copy', copy: { bar_code: form, title: loan.title, known: null, loan } }
  }
  for (const form of forms) {
    const found = await findReader(form)
    if (found) {
      return {
        kind: 'reader',
        chosen: { reader: readerOf(found.beneficiary, today), relative: found.relative?.id ?? null },
      }
    }
  }
  const asked = await askServer(client, forms, today)
  if (asked !== 'nobody-knows' && asked !== 'no-answer') return asked
  const { kind, code } = classifyBarCode(text, { isCopy: () => false, isBeneficiary: () => false }, symbology)
  if (kind === 'isbn') return { kind, code }
  return {
    kind: 'unknown',
    code,
    isSure: asked === 'nobody-knows',
    elsewhere: (currentSession()?.site?.id ?? 0) !== 0 && isMultisite,
  }
}

const laneCopyOf = (known: KnownCopy): LaneCopy => ({
  bar_code: known.copy.bar_code,
  title: known.copy.name,
  known,
  loan: known.loan,
})

async function askServer(
  client: QueryClient,
  forms: string[],
  today: string,
): Promise<Found | 'nobody-knows' | 'no-answer'> {
  if (currentConnection() === 'offline') return 'no-answer'
  const signal = AbortSignal.timeout(longestAskMs)
  try {
    // The media are asked for by whoever needs them first, without this limit.
    return await Promise.race([lookUp(client, forms, today, signal), endOf(signal)])
  } catch (error) {
    // No answer in time, or a profile that may not search: the device's own knowledge is the last word.
    if (error instanceof CallError && !error.isNoNetwork && error.status !== 403) throw error
    return 'no-answer'
  }
}

const endOf = (signal: AbortSignal): Promise<'no-answer'> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('no-answer')))

async function lookUp(
  client: QueryClient,
  forms: string[],
  today: string,
  signal: AbortSignal,
): Promise<Found | 'nobody-knows'> {
  const [page, media] = await Promise.all([
    call(listCopies, {
      list: { limit: 2, filters: [{ field: 'bar_code', operator: 'in', value: forms }] },
      signal,
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const [copy] = page['hydra:member']
  if (copy) return { kind: 'copy', copy: laneCopyOf(await knownOf(copy, media['hydra:member'], today)) }
  for (const form of forms) {
    const chosen = await findReaderByNumber(form, signal)
    if (chosen) return { kind: 'reader', chosen }
  }
  return 'nobody-knows'
}

/** The server's copy told as the device tells its own. */
async function knownOf(copy: Copy, media: readonly Medium[], today: string): Promise<KnownCopy> {
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
      beneficiary_id: loaning.beneficiary ?? 0,
      start_date: today,
      end_date: loaning.end_date,
      late: loaning.end_date < today,
      waiting: false,
    },
    borrower:
      loaning &&
      ((await findBeneficiary(loaning.beneficiary ?? 0)) ??
        namedOnly(loaning.beneficiary ?? 0, loaning.beneficiary_info ?? '')),
    reservations: copy.reservations.map((one) => ({
      ...one,
      beneficiary_info: one.beneficiary_info ?? 'Un autre lecteur',
      reference_id: copy.reference,
      copy_id: null,
      closed: false,
    })),
  }
}

/** A person of whom the server told only `matricule - lastname firstname`. */
function namedOnly(id: number, info: string): SnapshotBeneficiary {
  const [matricule = '', ...name] = info.split(' - ')
  return {
    id,
    matricule,
    lastname: name.join(' - '),
    firstname: '',
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
