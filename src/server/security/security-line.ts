export type SecurityEvent = {
  event: 'security.sign_in_failed' | 'security.forbidden' | 'security.throttled'
  /** Typed, or the signed-in person's. */
  account: string | null
  /** Null where a line sums up several addresses. */
  address: string | null
  device: string | null
  call: string | null
  reason: string | null
  request: string
}

/** One line of plain text; the caller's words are encoded behind the address, so that they forge nothing. */
export function securityLine(event: SecurityEvent, at: Date, times: number): string {
  const { event: name, address, account, device, call, reason, request } = event
  // The address was checked to be one.
  const words = [`address=${address ?? '-'}`]
  for (const [word, value] of Object.entries({ account, device, call, reason, request })) {
    words.push(`${word}=${value === null ? '-' : escaped(value)}`)
  }
  return `${[at.toISOString(), name, ...words, `times=${times}`].join(' ')}\n`
}

const escaped = (text: string): string => (text === '-' ? '%2D' : encodeURIComponent(text))
