/** What else looks different when a line of the journal says that such a row changed. A kind that is not here changes itself alone. */
const alsoChanged: Record<string, readonly string[]> = {
  // A copy's status, a reader's count of loans, the queue that the loan served.
  loanings: ['loanings', 'copies', 'beneficiaries', 'reservations'],
  // Lists of loans show the reader's name.
  beneficiaries: ['beneficiaries', 'loanings'],
  relatives: ['beneficiaries', 'loanings'],
  mail_outbox: ['mails'],
}

/** Who signs in or changes a password is nobody's news. */
const isPrivate = (action: string) => /^(session|password)\./.test(action)

/** The resources that lines of the journal touch, each once. */
export function resourcesOf(lines: readonly { entity: string; action: string }[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => alsoChanged[entity] ?? [entity])
  return [...new Set(touched)].sort()
}
