// Letter by letter: see everywhere.ts.

export const readerNumberSaved = 'Numéro de lecteur enregistré avec succès.'
export const relativeNotSaved = "Une erreur s'est produite lors de l'enregistrement."
