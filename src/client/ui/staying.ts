const listeners = new Set<() => void>()

/** Tells where somebody stays for what they have not saved; answers how to hear no more of it. */
export function watchStaying(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const tellStaying = (): void => listeners.forEach((listener) => listener())
