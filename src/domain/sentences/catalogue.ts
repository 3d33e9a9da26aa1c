// Letter by letter: see everywhere.ts.

export const referenceAdded = 'Référence ajoutée avec succès.'
export const referenceUpdated = 'Référence mise à jour avec succès.'
export const copyAdded = 'Exemplaire ajouté avec succès.'
export const copyUpdated = 'Exemplaire mis à jour avec succès.'
