export type SecurityEvent = {
  event: 'security.sign_in_failed' | 'security.forbidden' | 'security.throttled'
  /** The name that was typed, or the signed-in person's. */
  account: string | null
  /** Null where a line sums up several addresses. */
  address: string | null
  device: string | null
  /** Name of the call in the contract. */
  call: string | null
  reason: string | null
  /** Id of the request, as in the other lines of the log. */
  request: string
}

/**
 * An event as one line of plain text, for tools that read lines. The address stands before all that a caller chose, and what a caller
 * chose is written as in an address of the web: it holds no space, no quote and no end of line.
 */
export function securityLine(event: SecurityEvent, at: Date, times: number): string {
  const { event: name, address, account, device, call, reason, request } = event
  // An address has a form of its own, which was looked at.
  const words = [`address=${address ?? '-'}`]
  for (const [word, value] of Object.entries({ account, device, call, reason, request })) {
    words.push(`${word}=${value === null ? '-' : escaped(value)}`)
  }
  return `${[at.toISOString(), name, ...words, `times=${times}`].join(' ')}\n`
}

const escaped = (text: string): string => (text === '-' ? '%2D' : encodeURIComponent(text))
