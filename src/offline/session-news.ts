let channel: BroadcastChannel | null = null
const listeners = new Set<() => void>()
const tellHere = () => listeners.forEach((listener) => listener())

// A channel does not hear itself, so this context's listeners are called directly.
function openChannel(): BroadcastChannel | null {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('comptoir-session')
  channel.addEventListener('message', tellHere)
  // In Node an open channel would keep the process alive.
  const held: { unref?: () => void } = channel as { unref?: () => void }
  held.unref?.()
  return channel
}

/** Tells every page of this device. */
export function tellSessionRefused(): void {
  openChannel()?.postMessage(null)
  tellHere()
}

export function watchSessionRefused(listener: () => void): () => void {
  openChannel()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
