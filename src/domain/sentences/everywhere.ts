// The specification's own words and straight apostrophes. One file a subject, to load few.

export const somethingFailed = "Une erreur s'est produite."
export const loadingWords = 'Chargement en cours...'
