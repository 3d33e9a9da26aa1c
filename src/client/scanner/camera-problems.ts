export type CameraProblem =
  'denied' | 'none' | 'busy' | 'overconstrained' | 'insecure' | 'interrupted' | 'no_engine' | 'unknown'

const problemOf: Record<string, CameraProblem> = {
  NotAllowedError: 'denied',
  PermissionDeniedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  DevicesNotFoundError: 'none',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
  OverconstrainedError: 'overconstrained',
  ConstraintNotSatisfiedError: 'overconstrained',
}

/** Media Capture and Streams, 10.2, and older browsers' own names. */
export function cameraProblemOf(error: unknown): CameraProblem {
  // An OverconstrainedError is not an Error in every browser, so only its name is sure.
  const name = (error as { name?: unknown } | null)?.name
  return (typeof name === 'string' ? problemOf[name] : undefined) ?? 'unknown'
}

export function findCameraObstacle(): CameraProblem | null {
  if (!globalThis.isSecureContext) return 'insecure'
  return (navigator as { mediaDevices?: unknown }).mediaDevices === undefined ? 'none' : null
}
