const listeners = new Set<() => void>()

/** Somebody uses the device without touching it: the camera read a code. */
export const tellGesture = (): void => listeners.forEach((listener) => listener())

export function watchGestures(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
