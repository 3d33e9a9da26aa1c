let channel: BroadcastChannel | null = null
const listeners = new Set<() => void>()
const tellHere = () => listeners.forEach((listener) => listener())

// One channel a context: it does not hear itself, so this context's own listeners are called directly.
function openChannel(): BroadcastChannel | null {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('comptoir-session')
  channel.addEventListener('message', tellHere)
  // In Node an open channel would keep the process alive.
  const held: { unref?: () => void } = channel as { unref?: () => void }
  held.unref?.()
  return channel
}

/** Tells every page of this device that the server refused the token it was sent, whoever sent it. */
export function tellSessionRefused(): void {
  openChannel()?.postMessage(null)
  tellHere()
}

/** Calls back when the server refused a token. Returns how to stop. */
export function watchSessionRefused(listener: () => void): () => void {
  openChannel()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
