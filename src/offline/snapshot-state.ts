import type { CodeShape } from '../domain/code-shapes.ts'
import { readMeta } from './device-meta.ts'
import { type SnapshotKind, snapshotKinds, transact } from './device-store.ts'

export type SnapshotProgress = { rows: number; total: number }

/** `refreshed_at` is by the device's clock; `loading` is a full load not in use yet. */
export type SnapshotState = {
  site: number | null
  complete: boolean
  refreshed_at: string | null
  counts: Record<SnapshotKind, number>
  loading: SnapshotProgress | null
  /** Of the codes in it. */
  shapes: CodeShape[]
}

export async function snapshotState(): Promise<SnapshotState> {
  const { mark, half, shapes } = await transact(['meta'], 'readonly', async (tx) => {
    const meta = tx.objectStore('meta')
    const used = await readMeta(meta, 'snapshot')
    return {
      mark: used,
      half: await readMeta(meta, 'loading'),
      shapes: used && (await readMeta(meta, `shapes_${used.side}`)),
    }
  })
  const counts: Record<SnapshotKind, number> = { copies: 0, beneficiaries: 0, loanings: 0, reservations: 0 }
  if (mark) {
    for (const kind of snapshotKinds) {
      const name = `${kind}_${mark.side}` as const
      counts[kind] = await transact([name], 'readonly', (tx) => tx.objectStore(name).count())
    }
  }
  return {
    site: mark?.site ?? null,
    complete: mark !== null,
    refreshed_at: mark?.asked_at ?? null,
    counts,
    loading: half?.mode === 'full' ? { rows: half.rows, total: half.total } : null,
    shapes: shapes ?? [],
  }
}
