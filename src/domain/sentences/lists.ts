// Letter by letter: see everywhere.ts.

export const filtersSaved = 'Filtres sauvegardés.'
export const filtersNotSaved = "Une erreur s'est produite lors de la sauvegarde de vos filtres."
export const changesSaved = 'Vos modifications ont bien été prises en compte.'
export const imageNotSaved = "Une erreur est survenue lors de l'enregistrement de l'image."
