/**
 * What files 1 and 2 of the specification make people read, copied letter by letter from their sections: the quotation as it stands there, and what is said of it where it
 * stands for several (« ajoutée/mise à jour », « or 'modifiée' », « {N} »).
 */
type Quoted = { of: string; quoted: string; said?: readonly string[] }

const from = (of: string, ...quoted: (string | [string, ...string[]])[]): Quoted[] =>
  quoted.map((one) =>
    typeof one === 'string' ? { of, quoted: one } : { of, quoted: one[0], said: one.slice(1) },
  )

export const quotedSentences: readonly Quoted[] = [
  ...from(
    'file 1, section 8',
    "Une erreur s'est produite lors du chargement du bénéficiaire.",
    'Une erreur est survenue, saisie rapide indisponible pour cet exemplaire.',
    "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire.",
    "Le bénéficiaire n'est pas éligible.",
    "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide.",
    "Une erreur est survenue lors de l'enregistrement de l'image.",
    "Une erreur s'est produite lors de la sauvegarde de vos filtres.",
    "Une erreur s'est produite lors de l'enregistrement.",
    "Une erreur s'est produite.",
    'Article sorti avec succès',
    'Articles sortis avec succès.',
    'Article(s) retourné(s) avec succès.',
    'Le prêt a bien été mis à jour.',
    'Numéro de lecteur enregistré avec succès.',
    [
      'Référence ajoutée/mise à jour avec succès.',
      'Référence ajoutée avec succès.',
      'Référence mise à jour avec succès.',
    ],
    [
      'Exemplaire ajouté/mis à jour avec succès.',
      'Exemplaire ajouté avec succès.',
      'Exemplaire mis à jour avec succès.',
    ],
    'Filtres sauvegardés.',
    'Votre demande a bien été prise en compte.',
    "L'email a bien été envoyé.",
  ),
  ...from(
    'file 2, section 8',
    "Une erreur s'est produite, l'import n'a pas pu être effectué.",
    'Import effectué avec succès.',
    "Une erreur s'est produite, veuillez réessayer plus tard.",
    [
      'Réservation ajoutée avec succès.',
      'Réservation ajoutée avec succès.',
      'Réservation modifiée avec succès.',
    ],
    "Une erreur est survenue lors de l'enregistrement des paramètres.",
    'Paramètres enregistrés avec succès.',
    "Une erreur s'est produite, le fichier n'a pas pu être uploadé.",
    'Vos modifications ont bien été prises en compte.',
    'Veuillez sélectionner un profil',
    'Erreur de connexion. Vérifiez vos identifiants et réessayez.',
    'Identifiants incorrects',
    'Erreur de connexion. Veuillez réessayer',
    'Connexion réussie',
    'Un email de réinitialisation de mot de passe à été envoyé',
    'Utilisateur inconnu. Merci de vérifier votre adresse électronique',
    'Le mot de passe a bien été mis à jour',
  ),
  ...from(
    'file 1, section 5',
    'Cet exemplaire est sujet à réservations',
    "êtes vous sûr de vouloir l'ajouter au prêt ?",
    'Retards introuvables.',
    [
      '{N} email(s) seront envoyés. Voulez vous continuer ?',
      '2 email(s) seront envoyés. Voulez vous continuer ?',
      '1 email(s) sera envoyé. Voulez vous continuer ?',
    ],
    'Prêts en cours introuvables.',
    'Chaque bénéficiaire ayant des prêts en cours recevra un email récapitulatif. Voulez vous continuer ?',
  ),
  ...from('file 2, section 2', 'Chargement en cours...', 'ok'),
]

/** Of file 2, section 5, after the name of the file. */
export const quotedFragments = [
  'est déjà importé.',
  'est trop volumineux, la taille totale ne doit pas excéder {n}Mo.',
  'la taille maximale ne doit pas excéder 16Mo.',
  'est invalide ou non pris en charge.',
] as const

/** Words that file 2 writes straight outside its sentences, and where they stand: a button, and a heading of « Transferts ». */
export const quotedWords: Readonly<Record<string, string>> = {
  'client/ui/forms/date-field.tsx': "Aujourd'hui",
  'client/transfers/transfer-list-screen.tsx': "Date d'envoi",
}
