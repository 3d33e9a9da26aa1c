// The words of the specification (files 1 and 2), letter by letter, with its straight apostrophes and plain spaces: everything else that
// people read is written with typographic ones. One file a subject, so that no screen loads those of others.

export const somethingFailed = "Une erreur s'est produite."
export const loadingWords = 'Chargement en cours...'
