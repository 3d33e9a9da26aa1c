// Letter by letter: see everywhere.ts.

export const unknownSignIn = 'Erreur de connexion. Vérifiez vos identifiants et réessayez.'
export const wrongSignIn = 'Identifiants incorrects'
export const signInFailed = 'Erreur de connexion. Veuillez réessayer'
export const signedIn = 'Connexion réussie'
export const resetSent = 'Un email de réinitialisation de mot de passe à été envoyé'
export const unknownUser = 'Utilisateur inconnu. Merci de vérifier votre adresse électronique'
export const passwordUpdated = 'Le mot de passe a bien été mis à jour'
