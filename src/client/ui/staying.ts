const hearers = new Set<() => void>()

/** Tells where somebody stays for what they have not saved; answers how to hear no more of it. */
export function watchStaying(hear: () => void): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

export const tellStaying = (): void => hearers.forEach((hear) => hear())
