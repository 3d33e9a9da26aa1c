// Letter by letter: see everywhere.ts.

export const filtersSaved = 'Filtres sauvegardés.'
export const filtersNotSaved = "Une erreur s'est produite lors de la sauvegarde de vos filtres."
export const changesSaved = 'Vos modifications ont bien été prises en compte.'
export const userSaved = 'ok'
export const chooseProfile = 'Veuillez sélectionner un profil'
export const imageNotSaved = "Une erreur est survenue lors de l'enregistrement de l'image."
export const mediumFileNotSaved = "Une erreur s'est produite, le fichier n'a pas pu être uploadé."
export const parametersSaved = 'Paramètres enregistrés avec succès.'
export const parametersNotSaved = "Une erreur est survenue lors de l'enregistrement des paramètres."
