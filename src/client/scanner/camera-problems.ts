export type CameraProblem =
  'denied' | 'none' | 'busy' | 'overconstrained' | 'insecure' | 'interrupted' | 'no_engine' | 'unknown'

export const cameraSentences: Record<CameraProblem, string> = {
  denied:
    'L’accès à la caméra est refusé. Autorisez-la pour ce site dans les réglages du navigateur, puis réessayez.',
  none: 'Aucune caméra n’a été trouvée sur cet appareil.',
  busy: 'La caméra est occupée par une autre application. Fermez-la, puis réessayez.',
  overconstrained: 'Cette caméra ne convient pas à la lecture. Essayez-en une autre.',
  insecure: 'La caméra ne fonctionne qu’à une adresse sécurisée (https).',
  interrupted: 'La caméra s’est arrêtée. Vérifiez qu’elle est branchée, puis réessayez.',
  no_engine: 'Ce navigateur ne sait pas lire les codes-barres en image. Saisissez le code au clavier.',
  unknown: 'La caméra n’a pas pu démarrer. Réessayez.',
}

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
