// Letter by letter: see everywhere.ts.

export const reservationStatusFailed = "Une erreur s'est produite, veuillez réessayer plus tard."
export const reservationAdded = 'Réservation ajoutée avec succès.'
export const reservationChanged = 'Réservation modifiée avec succès.'
