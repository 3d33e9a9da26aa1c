// Sentences of files 1 and 2, to the letter; tests/architecture compares them with the specification's.

export const referenceAdded = 'Référence ajoutée avec succès.'
export const referenceUpdated = 'Référence mise à jour avec succès.'
export const copyAdded = 'Exemplaire ajouté avec succès.'
export const copyUpdated = 'Exemplaire mis à jour avec succès.'
