import { emitter } from '../domain/emitter.ts'

/** News for every page and worker of this device. */
export function newsChannel<T>(name: string) {
  const { tell: tellHere, watch } = emitter<[news: T]>()
  let channel: BroadcastChannel | null = null

  // A channel does not hear itself, so this context's listeners are called directly.
  function open(): BroadcastChannel | null {
    if (channel || typeof BroadcastChannel === 'undefined') return channel
    channel = new BroadcastChannel(name)
    channel.addEventListener('message', (message: { data: unknown }) => tellHere(message.data as T))
    // In Node an open channel would keep the process alive.
    const held: { unref?: () => void } = channel as { unref?: () => void }
    held.unref?.()
    return channel
  }

  return {
    /** Call it once the change is stored. */
    tell(news: T): void {
      open()?.postMessage(news)
      tellHere(news)
    },
    watch(listener: (news: T) => void): () => void {
      open()
      return watch(listener)
    },
  }
}
