// Letter by letter: see everywhere.ts.

export const articleLent = 'Article sorti avec succès'
export const articlesLent = 'Articles sortis avec succès.'
export const articlesReturned = 'Article(s) retourné(s) avec succès.'
export const loanUpdated = 'Le prêt a bien été mis à jour.'
export const requestTaken = 'Votre demande a bien été prise en compte.'
export const readerNotLoaded = "Une erreur s'est produite lors du chargement du bénéficiaire."
