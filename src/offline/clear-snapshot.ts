import { sides, transact } from './device-store.ts'
import { refusedToken } from './session-mirror.ts'
import { tellSessionRefused } from './session-news.ts'
import { emptyUnusedSide } from './snapshot-store.ts'

/** At sign-out: nothing of readers or loans stays on the device. The outbox does. A load under way stops. */
export async function clearSnapshot(): Promise<void> {
  await transact(['meta'], 'readwrite', async (tx) => {
    await tx.store.delete('snapshot')
    await tx.store.delete('loading')
  })
  for (const side of sides) await emptyUnusedSide(side)
}

/** After a 401 of the server's own, as at sign-out: a tablet that was shut out knows no reader. Not where somebody signed in since. */
export async function forgetAfterRefusal(token: string): Promise<void> {
  if ((await refusedToken()) !== token) return
  tellSessionRefused()
  await clearSnapshot()
}
