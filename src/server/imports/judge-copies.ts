import type { OpenedFile } from '../../contract/imports.ts'
import type { CopyFrame } from '../../domain/copy-frames.ts'
import { frameOf, isLentAs, unimarcCopies } from '../../domain/unimarc-copies.ts'
import { cut } from '../import-files/cell-text.ts'
import type { ImportRow } from '../import-files/import-file.ts'

const mostShown = 50

/** Looks at the copies of notices as they pass: whose fields they seem to be, and what they say of lending; undefined without any. */
export function judgeCopies() {
  let frame: CopyFrame = '995'
  let isAny = false
  const said = new Map<string, { count: number; is_lent: boolean }>()
  async function* watch(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow> {
    for await (const row of rows) {
      if (row.type === 'notice') {
        const found = frameOf(row.fields)
        if (found !== null && frame !== 'pmb') frame = found
        // In the frame that tells the most: what 996 says is there in no other.
        for (const { circulation, is_lent } of unimarcCopies(row.fields, 'pmb')) {
          isAny = true
          if (circulation === undefined) continue
          const code = cut(circulation, 100)
          said.set(code, { count: (said.get(code)?.count ?? 0) + 1, is_lent })
        }
      }
      yield row
    }
  }
  const judged = (): OpenedFile['copies'] =>
    isAny
      ? {
          frame,
          circulation: [...said]
            .map(([code, { count, is_lent }]) => ({
              code,
              count,
              is_lent: frame === 'pmb' ? is_lent : isLentAs(code, frame),
            }))
            .toSorted((one, other) => other.count - one.count)
            .slice(0, mostShown),
        }
      : undefined
  return { watch, judged }
}
