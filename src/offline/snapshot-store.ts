import type { SnapshotBeneficiary, SnapshotPage } from '../contract/snapshot.ts'
import { type CodeKind, learnCode } from '../domain/code-shapes.ts'
import { type LoadingMark, readMeta, writeMeta } from './device-meta.ts'
import {
  type Side,
  type SnapshotKind,
  snapshotKinds,
  type StoredBeneficiary,
  transact,
} from './device-store.ts'
import { breathe, rowsAtOnce } from './empty-side.ts'
import { wordsOf } from './fold-text.ts'

export class SupersededError extends Error {
  override name = 'SupersededError'
}

type MetaStore = Parameters<typeof readMeta>[0]
type WriteStore = Parameters<typeof writeMeta>[0]

/** Throws `SupersededError` unless `run` is still the load that may write. */
export async function requireRun(meta: MetaStore, run: string): Promise<LoadingMark> {
  const loading = await readMeta(meta, 'loading')
  if (loading?.run !== run) throw new SupersededError()
  return loading
}

/** `codes`: those of labels and cards. */
type Row = { id: number; isGone: boolean; value: unknown; codes?: string[] }

/** What codes of such rows are on, and the index that finds a row by its code. */
const codesOn: { [kind in SnapshotKind]?: { kind: CodeKind; index: string } } = {
  copies: { kind: 'copy', index: 'bar_code' },
  beneficiaries: { kind: 'beneficiary', index: 'codes' },
}

const rowsOf: Record<SnapshotKind, (page: SnapshotPage) => Row[]> = {
  copies: (page) =>
    page.copies.map((row) => ({ id: row.id, isGone: row.deleted, value: row, codes: [row.bar_code] })),
  beneficiaries: (page) =>
    page.beneficiaries.map((row) => ({
      id: row.id,
      isGone: row.deleted,
      value: searchable(row),
      codes: cardsOf(row),
    })),
  loanings: (page) => page.loanings.map((row) => ({ id: row.id, isGone: row.closed, value: row })),
  reservations: (page) => page.reservations.map((row) => ({ id: row.id, isGone: row.closed, value: row })),
}

const cardsOf = ({ reader_id, relatives }: SnapshotBeneficiary): string[] =>
  [reader_id, ...relatives.map((relative) => relative.reader_id)].flatMap((code) => code || [])

/** A relative's card and name lead to the reader too. */
function searchable(row: SnapshotBeneficiary): StoredBeneficiary {
  const numbers = [row.reader_id, row.matricule, ...row.relatives.map(({ reader_id }) => reader_id)]
  const codes = [...new Set(numbers.flatMap((code) => code || []))]
  const names = [row.lastname, row.firstname, ...row.relatives.map(({ name }) => name)]
  return { ...row, codes, words: wordsOf([...names, ...codes].join(' ')) }
}

/** Throws `SupersededError`. */
export async function writePage(page: SnapshotPage, side: Side, run: string): Promise<number> {
  let written = 0
  for (const kind of snapshotKinds) {
    const rows = rowsOf[kind](page)
    const coded = codesOn[kind]
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const chunk = rows.slice(from, from + rowsAtOnce)
      const name = `${kind}_${side}` as const
      await transact(['meta', name], 'readwrite', async (tx) => {
        await requireRun(tx.objectStore('meta'), run)
        const store = tx.objectStore(name)
        if (coded) {
          const byCode = store.index(coded.index as never)
          const isKnown = async (code: string) => (await byCode.getKey(code as never)) !== undefined
          await learnShapes(tx.objectStore('meta'), side, await newCodesOf(chunk, isKnown), coded.kind)
        }
        await Promise.all(
          chunk.map((row) =>
            row.isGone ? store.delete(row.id) : store.put(row.value as Parameters<typeof store.put>[0]),
          ),
        )
      })
      written += chunk.length
      await breathe()
    }
  }
  const { settings } = page
  if (settings) {
    await transact(['meta'], 'readwrite', async (tx) => {
      await requireRun(tx.objectStore('meta'), run)
      await writeMeta(tx.objectStore('meta'), `settings_${side}`, settings)
    })
  }
  return written
}

/** A row that changed is delivered again, and its code says nothing new. */
async function newCodesOf(
  rows: readonly Row[],
  isKnown: (code: string) => Promise<boolean>,
): Promise<string[]> {
  const codes = [...new Set(rows.flatMap((row) => (row.isGone ? [] : (row.codes ?? []))))]
  const known = await Promise.all(codes.map(isKnown))
  return codes.filter((_, at) => !known[at])
}

async function learnShapes(
  meta: MetaStore & WriteStore,
  side: Side,
  codes: readonly string[],
  kind: CodeKind,
): Promise<void> {
  if (codes.length === 0) return
  const shapes = (await readMeta(meta, `shapes_${side}`)) ?? []
  for (const code of codes) learnCode(shapes, code, kind)
  await writeMeta(meta, `shapes_${side}`, shapes)
}
