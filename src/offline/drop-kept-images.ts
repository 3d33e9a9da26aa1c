export const keptImagesName = 'comptoir-images'

/** Gives their room back; absent outside HTTPS, where nothing is kept. */
export const dropKeptImages = (): Promise<unknown> =>
  (globalThis as { caches?: CacheStorage }).caches?.delete(keptImagesName).catch(() => false) ??
  Promise.resolve()
