import { reasonOf, type Violation } from '../../contract/refusals.ts'
import type { RefusalReason } from '../../domain/refusal-reasons.ts'

/** The sentence to show for a failed call; `status` 0 means no answer. */
export class CallError extends Error {
  readonly status: number
  readonly reason: RefusalReason | null
  readonly violations: readonly Violation[]
  /** What the refusal tells beside its sentence, such as who waits. */
  readonly facts: unknown

  /** `requestId` names the request in the server's log, and is shown with an unexpected error. */
  constructor(status: number, body: unknown, requestId?: string | null) {
    const known = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
    const violations = (
      Array.isArray(known['violations']) ? known['violations'] : []
    ) as CallError['violations']
    const said = violations[0]?.message ?? known['message'] ?? known['hydra:description']
    const sentence = typeof said === 'string' && said !== '' ? said : fallback(status)
    super(status >= 500 && requestId ? `${sentence} Numéro de l’incident\u202f: ${requestId}` : sentence)
    this.status = status
    this.violations = violations
    this.facts = known['facts']
    this.reason = reasonOf(known['reason'])
  }

  get isNoNetwork(): boolean {
    return this.status === 0
  }

  /** Whether the same call may be answered later. */
  get isUnanswered(): boolean {
    return this.isNoNetwork || this.status >= 500
  }
}

const fallback = (status: number) =>
  status === 0
    ? 'Le serveur ne répond pas. Vérifiez le réseau, puis réessayez.'
    : 'Une erreur inattendue s’est produite. Réessayez dans un instant.'
