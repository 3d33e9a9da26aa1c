import type { TypedKey } from './typed-scan.ts'

declare global {
  /** Of door.js: stops keeping keys and gives those that came before the page heard any. */
  var takeEarlyKeys: (() => TypedKey[]) | undefined
}

export function takeEarlyKeys(): TypedKey[] {
  const keys = globalThis.takeEarlyKeys?.() ?? []
  globalThis.takeEarlyKeys = undefined
  return keys
}
