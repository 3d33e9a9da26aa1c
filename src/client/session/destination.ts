/** Where the screens' guard says the person was heading, if it is an address of ours; else home. */
export function destinationOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from
  return typeof from === 'string' && /^\/(?!\/|login)/.test(from) ? from : '/home'
}
