const listeners = new Set<() => void>()

/** Somebody is at the device without touching it: the camera read a code. */
export const tellGesture = (): void => listeners.forEach((listener) => listener())

/** Calls back at each of them. Returns how to stop. */
export function watchGestures(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
