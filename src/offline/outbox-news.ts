export type OutboxNews = { ids: string[]; to_send: boolean }

const listeners = new Set<(news: OutboxNews) => void>()
let channel: BroadcastChannel | null = null

// A channel does not hear itself, so this context's listeners are called directly.
function openChannel(): BroadcastChannel | null {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('comptoir-outbox')
  channel.addEventListener('message', (message: { data: unknown }) => tellHere(message.data as OutboxNews))
  // In Node an open channel would keep the process alive.
  const held: { unref?: () => void } = channel as { unref?: () => void }
  held.unref?.()
  return channel
}

const tellHere = (news: OutboxNews) => listeners.forEach((listener) => listener(news))

/** Call it once the change is stored. */
export function tellOutbox(news: OutboxNews): void {
  openChannel()?.postMessage(news)
  tellHere(news)
}

export function watchOutbox(listener: (news: OutboxNews) => void): () => void {
  openChannel()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
