import * as v from 'valibot'

import { findLostReceipts, mostReceipts } from '../contract/snapshot.ts'
import { transact } from './device-store.ts'
import { type Entry, unsent } from './entry.ts'
import { type PageSettings, readOurs } from './fetch-snapshot-page.ts'
import { forgetOldEntries } from './outbox.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry } from './outbox-store.ts'
import { ownProblem } from './send-entry.ts'

const answer = v.looseObject({ keys: v.array(v.string()) })

/**
 * The database may have gone back to an earlier state: asks which of the actions that were confirmed on this device it no longer knows, and
 * leaves each to its person. Throws `RefreshStopped`, and may then be done again.
 */
export async function findLostActions(settings: PageSettings): Promise<void> {
  const { environment_id } = settings.session
  // What was confirmed long ago has no key left on the server either, and nothing of it was lost.
  await forgetOldEntries(new Date(settings.now()))
  const done = (
    await transact(['outbox'], 'readonly', (tx) => tx.objectStore('outbox').index('state').getAll('done'))
  ).filter((entry) => entry.environment_id === environment_id)
  const lost: string[] = []
  for (let at = 0; at < done.length; at += mostReceipts) {
    const keys = done.slice(at, at + mostReceipts).map(({ id }) => id)
    const query = new URLSearchParams({ keys: keys.join(',') })
    lost.push(...(await readOurs(`${findLostReceipts.path}?${query.toString()}`, answer, settings)).keys)
  }
  if (lost.length === 0) return
  await transact(['outbox'], 'readwrite', async (tx) => {
    for (const id of lost) {
      const entry = await findEntry(tx, id)
      if (entry?.state === 'done') await tx.store.put(leftToItsPerson(entry))
    }
  })
  tellOutbox({ ids: lost, to_send: false })
}

/** Numbers of loans may be others' by now: a return finds its loan by the bar code, and an answer to a refusal is not given again. */
function leftToItsPerson(entry: Entry): Entry {
  const problem = ownProblem(
    'RECEIPT_LOST',
    `Confirmée, puis perdue par le serveur, qui a repris un état plus ancien\u202f: ${
      entry.endpoint === 'conflicts.settle'
        ? 'voyez ce qu’il en est, puis mettez-la de côté.'
        : 'confirmez-la pour la refaire, ou mettez-la de côté.'
    }`,
  )
  const lost: Entry = { ...entry, ...unsent, seal: null, problem }
  if (entry.endpoint === 'conflicts.settle') return { ...lost, state: 'quarantined' }
  if (entry.endpoint !== 'loanings.return' || entry.bar_code === null) return { ...lost, state: 'conflict' }
  const body = { bar_code: entry.bar_code, ...entry.body }
  const sent = { bar_code: entry.bar_code, ...(JSON.parse(entry.frozen_body) as object) }
  return {
    ...lost,
    state: 'conflict',
    endpoint: 'loanings.return_copy',
    params: {},
    body,
    frozen_body: JSON.stringify(sent),
  }
}
