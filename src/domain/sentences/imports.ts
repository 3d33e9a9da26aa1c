// Letter by letter: see everywhere.ts.

export const importDone = 'Import effectué avec succès.'
/** Followed by what the server says. */
export const importNotDone = "Une erreur s'est produite, l'import n'a pas pu être effectué."
