import { sides, transact } from './device-store.ts'
import { dropKeptImages } from './drop-kept-images.ts'
import { refusedToken } from './session-mirror.ts'
import { tellSessionRefused } from './session-news.ts'
import { emptyUnusedSide } from './empty-side.ts'

/** At sign-out, removes readers, loans and images from the device, but never the outbox. */
export async function clearSnapshot(): Promise<void> {
  await transact(['meta'], 'readwrite', async (tx) => {
    await tx.store.delete('snapshot')
    await tx.store.delete('loading')
  })
  for (const side of sides) await emptyUnusedSide(side)
  await dropKeptImages()
}

/** After a 401, because a tablet that was shut out must keep no reader; not if somebody signed in since. */
export async function forgetAfterRefusal(token: string): Promise<void> {
  if ((await refusedToken()) !== token) return
  tellSessionRefused()
  await clearSnapshot()
}
