/** Something changed in the outbox. `to_send` is true when there may be something new to send, not merely a state to show. */
export type OutboxNews = { ids: string[]; to_send: boolean }

const listeners = new Set<(news: OutboxNews) => void>()
let channel: BroadcastChannel | null = null

// One channel a context: it does not hear itself, so this context's own listeners are called directly.
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

/** Tells every page and worker of this device, once the change is in the store. */
export function tellOutbox(news: OutboxNews): void {
  openChannel()?.postMessage(news)
  tellHere(news)
}

/** Calls back after every change of the outbox, whichever page or worker made it. Returns how to stop. */
export function watchOutbox(listener: (news: OutboxNews) => void): () => void {
  openChannel()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
