import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { classifyBarCode, formsByCase, type Symbology } from '../../domain/bar-code.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import {
  findCard,
  findLabel,
  findLentHere,
  findReader,
  type KnownCopy,
  type KnownReader,
  libraryToday,
} from '../../offline/counter.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { findReaderByNumber, readerOf } from '../beneficiaries/beneficiary-data.ts'
import { CallError } from '../api/call-error.ts'
import { currentConnection } from '../api/connection.ts'
import { knownSoon } from '../api/known-soon.ts'
import { longestAskMs } from '../api/server-first.ts'
import { currentSession } from '../api/session.ts'
import { askServerForScanned } from '../catalogue/copy-data.ts'
import { whenKnown } from '../scanner/known-shapes.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import type { Found, NoAnswer, ScannedCopy } from './found.ts'

export type FindScan = (code: string, symbology?: Symbology) => Promise<Found>

export function useFindScan(): FindScan {
  const client = useQueryClient()
  const isMultisite = useIsMultisite()
  return useCallback(
    (code, symbology) => findScan(client, isMultisite, code, symbology),
    [client, isMultisite],
  )
}

/** The device answers first; then, on line, the server, which alone knows what was sold. */
export async function findScan(...scan: Parameters<typeof findCarrier>): Promise<Found> {
  const found = await findCarrier(...scan)
  return found.kind === 'copy' && found.copy.known?.copy.type === 'Vente' && currentConnection() === 'online'
    ? further().then(
        async ({ withSale }) => ({
          ...found,
          copy: await withSale(found.copy, AbortSignal.timeout(longestAskMs)),
        }),
        () => found,
      )
    : found
}

const further = () => import('./ask-further.ts')

async function findCarrier(
  client: QueryClient,
  isMultisite: boolean,
  text: string,
  symbology?: Symbology,
): Promise<Found> {
  const byCase = formsByCase(text, symbology)
  for (const forms of byCase) {
    const found = await findOnDevice(forms)
    if (found) return found
  }
  const isAtOneSite = isMultisite && (currentSession()?.site?.id ?? 0) !== 0
  const asked = await askServer(client, byCase, isAtOneSite)
  if (typeof asked === 'object') return asked
  // A page just opened may not have read what the library's codes look like, which tells a card from a copy.
  await knownSoon(whenKnown)
  const { kind, code } = classifyBarCode(text, { isCopy: () => false, isBeneficiary: () => false }, symbology)
  if (kind === 'isbn') return { kind, code }
  return { kind: 'unknown', code, answer: asked, elsewhere: isAtOneSite }
}

async function findOnDevice(forms: readonly string[]): Promise<Found | null> {
  const label = await findLabel(forms)
  if (label) return copyFound(label.known, label.card)
  for (const form of forms) {
    const loan = await findLentHere(form)
    if (loan) return { kind: 'copy', copy: { bar_code: form, title: loan.title, known: null, loan } }
  }
  for (const form of forms) {
    const found = await findReader(form)
    if (found) return { kind: 'reader', chosen: scannedReader(found, await libraryToday()) }
  }
  return null
}

const scannedReader = ({ beneficiary, relative }: KnownReader, today: CalendarDay): ScannedReader => ({
  reader: readerOf(beneficiary, today),
  relative: relative?.id ?? null,
})

async function copyFound(known: KnownCopy, card: KnownReader | null): Promise<Found> {
  const copy = scannedOf(known)
  return { kind: 'copy', copy, ...(card && { card: scannedReader(card, await libraryToday()) }) }
}

const scannedOf = (known: KnownCopy): ScannedCopy => ({
  bar_code: known.copy.bar_code,
  title: known.copy.name,
  known,
  loan: known.loan,
})

async function askServer(
  client: QueryClient,
  byCase: readonly string[][],
  isAtOneSite: boolean,
): Promise<Found | 'nobody-knows' | NoAnswer> {
  if (currentConnection() === 'offline') return 'offline'
  const signal = AbortSignal.timeout(longestAskMs)
  try {
    // Media are asked for without this limit, because others may wait for the same request.
    return await Promise.race([lookUp(client, byCase, isAtOneSite, signal), endOf(signal)])
  } catch (error) {
    // The device then has the last word.
    if (signal.aborted) return 'late'
    if (!(error instanceof CallError) || error.isNoNetwork) return 'offline'
    if (error.status !== 403) throw error
    return 'no-right'
  }
}

const endOf = (signal: AbortSignal): Promise<'late'> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('late')))

async function lookUp(
  client: QueryClient,
  byCase: readonly string[][],
  isAtOneSite: boolean,
  signal: AbortSignal,
): Promise<Found | 'nobody-knows'> {
  for (const forms of byCase.filter(({ length }) => length > 0)) {
    const known = await askServerForScanned(client, forms, signal)
    if (known) return copyFound(known, await findCard(known.copy.bar_code))
    for (const form of forms) {
      const chosen = await findReaderByNumber(form, signal)
      if (chosen) return { kind: 'reader', chosen }
    }
  }
  return (isAtOneSite ? await (await further()).askOtherSites(byCase.flat(), signal) : null) ?? 'nobody-knows'
}
