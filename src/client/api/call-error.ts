import { reasonOf, type Violation } from '../../contract/refusals.ts'
import type { RefusalReason } from '../../domain/refusal-reasons.ts'

/** What went wrong with a call, in a sentence for a person; `status` 0 is no answer at all. */
export class CallError extends Error {
  readonly status: number
  readonly reason: RefusalReason | null
  readonly violations: readonly Violation[]

  /** `requestId` is what the server's log calls the request: said with what was not foreseen. */
  constructor(status: number, body: unknown, requestId?: string | null) {
    const known = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
    const violations = (
      Array.isArray(known['violations']) ? known['violations'] : []
    ) as CallError['violations']
    const said = violations[0]?.message ?? known['message'] ?? known['hydra:description']
    const sentence = typeof said === 'string' && said !== '' ? said : fallback(status)
    super(status >= 500 && requestId ? `${sentence} Référence\u202f: ${requestId}` : sentence)
    this.status = status
    this.violations = violations
    this.reason = reasonOf(known['reason'])
  }

  get isNoNetwork(): boolean {
    return this.status === 0
  }
}

const fallback = (status: number) =>
  status === 0
    ? 'Le serveur ne répond pas. Vérifiez le réseau, puis réessayez.'
    : 'Une erreur inattendue s’est produite. Réessayez dans un instant.'
