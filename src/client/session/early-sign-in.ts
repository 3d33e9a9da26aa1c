type EarlySignIn = { username: string; password: string; isAtPassword: boolean; isSent: boolean }

declare global {
  /** Of door.js: takes its fields out of the page and gives what was typed into them before the screen stood. */
  var takeEarlySignIn: (() => EarlySignIn) | undefined
}

export function takeEarlySignIn(): EarlySignIn | null {
  const taken = globalThis.takeEarlySignIn?.() ?? null
  globalThis.takeEarlySignIn = undefined
  return taken
}
