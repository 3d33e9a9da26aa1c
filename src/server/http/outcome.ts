import type { RefusalReason } from '../../domain/refusal-reasons.ts'

declare const disclosed: unique symbol
/** A fact that a refusal may disclose; only server/visibility makes one, from what the caller may see. */
export type Disclosed = { readonly [disclosed]: true }
type Facts = Record<string, string | number | boolean | null | Disclosed | readonly Disclosed[]>

/** People read `message`, programs tell refusals apart by `reason`. */
export type Refusal = {
  status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 429 | 502 | 503
  message: string
  reason?: RefusalReason
  facts?: Facts
  violations?: { propertyPath: string; message: string }[]
  /** In seconds. */
  retryAfter?: number
  /** Tells the security log that somebody failed to show who they are. */
  isFailedSignIn?: true
}

export type Outcome<T> =
  | {
      ok: true
      answer: T
      status?: 200 | 201 | 202
      /** Once the change is committed: what a transaction cannot take back, such as deleting a file. */
      afterwards?: () => Promise<void>
    }
  | { ok: false; refusal: Refusal }

/** Pass `status` only where an endpoint has two ways to succeed. */
export const done = <T>(answer: T, status?: 200 | 201 | 202): Outcome<T> => ({
  ok: true,
  answer,
  ...(status ? { status } : {}),
})

export type Refused = { ok: false; refusal: Refusal }

export const refuse = (refusal: Refusal): Refused => ({ ok: false, refusal })

export const failedSignIn = ({ refusal }: Refused): Refused => refuse({ ...refusal, isFailedSignIn: true })

export const notFound = (message: string): Refused => refuse({ status: 404, message })

export const conflict = (reason: RefusalReason, message: string, facts?: Facts): Refused =>
  refuse({ status: 409, reason, message, ...(facts ? { facts } : {}) })

export const forbidden = (message = 'Vous n’avez pas le droit de faire cela.'): Refused =>
  refuse({ status: 403, reason: 'RIGHT_MISSING', message })

export const violation = (propertyPath: string, message: string): Refused =>
  violations([{ propertyPath, message }])

export const violations = (
  list: { propertyPath: string; message: string }[],
  reason?: RefusalReason,
  facts?: Facts,
): Refused =>
  refuse({
    status: 422,
    message: list.map(({ message }) => message).join(' '),
    violations: list,
    ...(reason ? { reason } : {}),
    ...(facts ? { facts } : {}),
  })
