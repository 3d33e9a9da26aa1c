import { type DeviceMeta, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { dropKeptImages, keptImagesName } from './drop-kept-images.ts'
import { liveSession } from './session-mirror.ts'

// Images lie beside the outbox in one store of the browser's: they never take the room that it may need.

type ImageBudget = DeviceMeta['image_budget']
export const imageBudgets: readonly ImageBudget[] = [0, 20, 100]
const firstBudget: ImageBudget = 20

const mostImages = 2000
/** Drawn in two sizes, none comes near to it. */
const largestImage = 2_000_000
/** The other half is the outbox’s and the snapshot’s. */
const shareOfQuota = 0.5

/** What lies under an address that names its version never changes. */
export const isKeptImage = (address: string, origin: string): boolean => {
  const { origin: of, pathname, searchParams } = new URL(address)
  return (
    of === origin &&
    /^\/api\/image\/references\/\d+$/.test(pathname) &&
    /^[0-9a-f]{32}$/.test(searchParams.get('v') ?? '')
  )
}

type Kept = { key: string; bytes: number }

// The key says what the image weighs, so that no image is read to count them.
const keyOf = (address: string, bytes: number) => `${address}&bytes=${bytes}`
const addressOf = (key: string) => key.replace(/&bytes=\d+$/, '')
const bytesOf = (key: string) => Number(/&bytes=(\d+)$/.exec(key)?.[1] ?? 0)

/** Oldest first. */
const everyKept = async (cache: Cache): Promise<Kept[]> =>
  (await cache.keys()).map(({ url }) => ({ key: url, bytes: bytesOf(url) }))

/** The oldest ones, without which the others are within both bounds. */
export function leavingImages(
  kept: readonly Kept[],
  { bytes, count }: { bytes: number; count: number },
): readonly Kept[] {
  let total = 0
  const isOver = ({ bytes: own }: Kept, at: number) => {
    total += own
    return total > bytes || at >= count
  }
  const newestFirst = kept.toReversed()
  const over = newestFirst.findIndex(isOver)
  return over === -1 ? [] : newestFirst.slice(over).toReversed()
}

let keys: Map<string, string> | null = null

/** Undefined where it is not kept, or the store cannot be read. */
export async function keptImage(address: string): Promise<Response | undefined> {
  try {
    const cache = await caches.open(keptImagesName)
    keys ??= new Map((await everyKept(cache)).map(({ key }) => [addressOf(key), key]))
    const key = keys.get(address)
    const found = key === undefined ? undefined : await cache.match(key)
    // Another page has emptied the store.
    if (key !== undefined && !found) keys = null
    return found
  } catch {
    return undefined
  }
}

let last: Promise<unknown> = Promise.resolve()
const inTurn = (work: () => Promise<unknown>): Promise<unknown> => (last = last.then(work, work))

/** Within what this device may keep, while somebody is signed in; any trouble gives all the room back. */
export const keepImage = (address: string, image: Response): Promise<unknown> =>
  inTurn(async () => {
    try {
      const budget = await allowedBytes()
      const content = budget === 0 ? null : await image.blob()
      if (content === null || content.size > Math.min(budget, largestImage)) return
      if (!(await hasRoomFor(content.size))) return await forgetAll()
      const cache = await caches.open(keptImagesName)
      const key = keyOf(address, content.size)
      await cache.put(key, new Response(content, { headers: { 'Content-Type': content.type } }))
      keys?.set(address, key)
      await trim(cache, budget)
    } catch {
      await forgetAll()
    }
  })

async function forgetAll(): Promise<void> {
  keys = null
  await dropKeptImages()
}

async function trim(cache: Cache, bytes: number): Promise<void> {
  for (const { key } of leavingImages(await everyKept(cache), { bytes, count: mostImages })) {
    keys?.delete(addressOf(key))
    await cache.delete(key)
  }
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  const { usage = 0, quota = Infinity } = await navigator.storage.estimate()
  return usage + bytes < quota * shareOfQuota
}

const allowedBytes = (): Promise<number> =>
  transact(['meta'], 'readonly', async (tx) => {
    const meta = tx.objectStore('meta')
    if ((await liveSession(meta)) === null) return 0
    return ((await readMeta(meta, 'image_budget')) ?? firstBudget) * 1_000_000
  })

export type ImageUse = { budget: ImageBudget; count: number; bytes: number }

export async function imageUse(): Promise<ImageUse> {
  const budget = await transact(['meta'], 'readonly', (tx) =>
    readMeta(tx.objectStore('meta'), 'image_budget'),
  )
  const kept = await everyKept(await caches.open(keptImagesName))
  return {
    budget: budget ?? firstBudget,
    count: kept.length,
    bytes: kept.reduce((total, { bytes }) => total + bytes, 0),
  }
}

/** What is over the new budget leaves at once. */
export async function setImageBudget(budget: ImageBudget): Promise<void> {
  await transact(['meta'], 'readwrite', (tx) => writeMeta(tx.objectStore('meta'), 'image_budget', budget))
  if (budget === 0) await forgetAll()
  else await trim(await caches.open(keptImagesName), budget * 1_000_000)
}
