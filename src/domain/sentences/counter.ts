// Letter by letter: see everywhere.ts.

export const noLoanToReturn = 'Une erreur est survenue, saisie rapide indisponible pour cet exemplaire.'
export const notForQuickInput = "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire."
export const readerNotEligible = "Le bénéficiaire n'est pas éligible."
export const copyReserved = 'Cet exemplaire est sujet à réservations'
export const reservedQuestion = "êtes vous sûr de vouloir l'ajouter au prêt ?"
