/** Tells whoever listens; one who is added while it tells is told as well. */
export function emitter<News extends unknown[] = []>() {
  const listeners = new Set<(...news: News) => void>()
  return {
    tell(...news: News): void {
      for (const listener of listeners) listener(...news)
    },
    /** Answers how to be told no more. */
    watch(listener: (...news: News) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isWatched: (): boolean => listeners.size > 0,
  }
}
