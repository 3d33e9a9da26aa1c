import type { ListQuery } from '../../contract/list.ts'
import type { SnapshotBeneficiary, SnapshotLoan } from '../../contract/snapshot.ts'
import { readerName } from '../../domain/person-names.ts'
import { transact } from '../../offline/device-store.ts'
import { wordsOf } from '../../offline/fold-text.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { copyKeysOfRow, isShown } from '../../offline/open-loans.ts'
import { hasMade, isLend } from '../../offline/overlay.ts'
import { CallError } from '../api/call-error.ts'
import type { DatedLoan } from '../loans/held-loan.ts'
import type { DueKind } from './due-lists.ts'

const pieceSize = 500

type Known = { row: SnapshotLoan; who: SnapshotBeneficiary | undefined }

/** The device's loans of the list, without waiting returns, filtered, sorted and paged as the server does. */
export async function listDueOffline(
  kind: DueKind,
  list: ListQuery,
  today: string,
): Promise<{ loans: DatedLoan[]; total: number }> {
  if (list.filters.some(({ field }) => field === 'category'))
    throw new CallError(0, { message: noCategories })
  const isDue = ({ end_date }: SnapshotLoan) => (kind === 'late' ? end_date < today : end_date === today)
  const known = (await readOpenLoans(isDue)).filter((one) => isWanted(one, list)).sort(comparisonOf(list))
  const from = (list.page - 1) * list.limit
  return { loans: known.slice(from, from + list.limit).map(heldOf(today)), total: known.length }
}

const noCategories =
  'Hors ligne, cet appareil ne connaît pas les catégories\u202f: retirez ce filtre, ou réessayez quand le réseau sera revenu.'

/** The snapshot has every loan of a reader, and the server lists those of the chosen site, or of all that are open; devices of before know no site. */
const isListedAt =
  (chosen: number) =>
  ({ site }: SnapshotLoan): boolean =>
    site === undefined || (chosen === 0 ? site !== null : site === chosen)

async function readOpenLoans(isDue: (row: SnapshotLoan) => boolean): Promise<Known[]> {
  const sideNow = () => readLibrary(async (library) => library?.mark.side ?? null)
  const read = await readLibrary(
    async (library) => library && { mark: library.mark, over: await library.overlay() },
  )
  if (!read) return []
  const {
    mark: { side, site },
    over,
  } = read
  const isListed = isListedAt(site)
  const isOut = (row: SnapshotLoan) => {
    const last = over.lastOn(copyKeysOfRow(row))
    return last === null || (isLend(last) && hasMade(last, row))
  }
  const [loanings, beneficiaries] = [`loanings_${side}`, `beneficiaries_${side}`] as const
  // Without `outbox` and `meta`, so that a scan can be kept meanwhile.
  const known = await transact([loanings, beneficiaries], 'readonly', async (tx) => {
    const rows: SnapshotLoan[] = []
    // Pieces, because reading all at once would hold the page.
    for (let after = 0; ;) {
      const piece = await tx.objectStore(loanings).getAll(IDBKeyRange.lowerBound(after, true), pieceSize)
      rows.push(...piece.filter((row) => isShown(row) && isListed(row) && isDue(row) && isOut(row)))
      if (piece.length < pieceSize) break
      after = piece.at(-1)?.id ?? after
    }
    const people = tx.objectStore(beneficiaries)
    return Promise.all(rows.map(async (row) => ({ row, who: await people.get(row.beneficiary ?? 0) })))
  })
  // The sides swapped meanwhile, so what was read may have been half emptied.
  return (await sideNow()) === side ? known : readOpenLoans(isDue)
}

const nameOf = (who: SnapshotBeneficiary | undefined): string =>
  who ? `${who.lastname} ${who.firstname}` : ''

function isWanted({ row, who }: Known, { filters }: ListQuery): boolean {
  const has = (text: string, value: unknown) => {
    const words = wordsOf(text)
    return wordsOf(String(value)).every((wanted) => words.some((word) => word.includes(wanted)))
  }
  return filters.every(({ field, operator, value }) => {
    switch (`${field}|${operator}`) {
      case 'benefsearchname|like':
        return has(`${nameOf(who)} ${who?.matricule ?? ''} ${who?.reader_id ?? ''}`, value)
      case 'referencesearchname|like':
        return has(row.reference_name, value)
      case 'start_date|gte':
        return row.start_date >= String(value)
      case 'end_date|lte':
        return row.end_date <= String(value)
      case 'medium|in':
        return Array.isArray(value) && value.map(String).includes(String(row.medium))
      default:
        return true
    }
  })
}

const sortKeys: Record<string, (known: Known) => string> = {
  beneficiary_lastname: ({ who }) => nameOf(who),
  reference_name: ({ row }) => row.reference_name,
  start_date: ({ row }) => row.start_date,
  end_date: ({ row }) => row.end_date,
}

// Made once, because `localeCompare` makes one at each comparison.
const french = new Intl.Collator('fr')

function comparisonOf({ order }: ListQuery) {
  const { field, direction } = order[0] ?? { field: 'beneficiary_lastname', direction: 'desc' as const }
  const key = sortKeys[field] ?? nameKey
  const way = direction === 'asc' ? 1 : -1
  return (a: Known, b: Known) => way * (french.compare(key(a), key(b)) || a.row.id - b.row.id)
}
const nameKey = ({ who }: Known) => nameOf(who)

const heldOf =
  (today: string) =>
  ({ row, who }: Known): DatedLoan => ({
    loan_id: row.id,
    loan_key: row.loan_key,
    copy_id: row.copy,
    bar_code: row.copy_barcode,
    title: row.reference_name,
    medium: row.medium,
    site: row.site ?? null,
    beneficiary_id: row.beneficiary ?? 0,
    beneficiary_name: who ? readerName(who) : '',
    copy_state: null,
    start_date: row.start_date,
    end_date: row.end_date,
    late: row.end_date < today,
    waiting: false,
  })
