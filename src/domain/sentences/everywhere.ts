// The specification's own words and straight apostrophes (files 1 and 2). One file a subject, to load few.

export const somethingFailed = "Une erreur s'est produite."
export const loadingWords = 'Chargement en cours...'
