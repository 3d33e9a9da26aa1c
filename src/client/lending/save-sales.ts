import { type Sale, sellCopy } from '../../contract/sales.ts'
import { libraryToday } from '../../offline/counter.ts'
import { call } from '../api/call.ts'
import { currentConnection } from '../api/connection.ts'
import { gestureKeys } from '../api/gesture-keys.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { sentenceOf } from '../loans/loan-errors.ts'
import { refreshAnew } from '../outbox/counter-work.ts'
import { type BasketLine, type LineFailure, type LoanTerms, saleNeedsNetwork, saleToSend } from './basket.ts'

/** A sale that the server confirmed, as its line tells it. */
export type SoldLine = Pick<Sale, 'id' | 'price' | 'beneficiary_name'> & { title: string }

/** One key a sale until the server's last word, so that a lost answer asked for again sells nothing twice. */
const once = gestureKeys()

/** Sells a basket's copies one by one, on line only; each that is not sold stays, with its reason. */
export async function saveSales(
  lines: readonly BasketLine[],
  terms: LoanTerms,
  { reader, relative }: ChosenReader,
): Promise<{ sold: SoldLine[]; left: BasketLine[] }> {
  const sold: SoldLine[] = []
  const left: BasketLine[] = []
  const today = await libraryToday()
  for (const line of lines) {
    if (currentConnection() === 'offline') {
      left.push({ ...line, failure: { ...noFailure, message: saleNeedsNetwork } })
      continue
    }
    const body = {
      beneficiary: reader.id,
      copy: line.copy.id,
      ...saleToSend(line, terms, { relative, today }),
    }
    try {
      const sale = await once(JSON.stringify(body), (key) => call(sellCopy, { body, key }))
      sold.push({ ...sale, title: sale.reference_name })
    } catch (error) {
      left.push({ ...line, failure: { ...noFailure, message: sentenceOf(error) } })
    }
  }
  await refreshChanged('sales')
  // The device's own picture of the copies, which the next scan asks first.
  if (sold.length > 0) await refreshAnew().catch(() => undefined)
  return { sold, left }
}

const noFailure: LineFailure = { entry_id: null, message: '', reason: null, violations: [] }
