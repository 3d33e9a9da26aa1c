import type { Entry } from './entry.ts'
import { listEntries } from './outbox.ts'

/** The exported queue, which later versions must be able to import. */
type OutboxExport = { format: 'comptoir-outbox'; v: 1; exported_at: string; entries: Entry[] }

/** All that is not done, with its keys but no token. `unsaved` are actions that could not be stored. */
export async function exportEntries(unsaved: readonly Entry[] = [], now = new Date()): Promise<string> {
  const kept = await listEntries().catch((error: unknown) => {
    if (unsaved.length === 0) throw error
    return []
  })
  const entries = [...kept.filter(({ state }) => state !== 'done'), ...unsaved]
  const file: OutboxExport = { format: 'comptoir-outbox', v: 1, exported_at: now.toISOString(), entries }
  return JSON.stringify(file, null, 1)
}
