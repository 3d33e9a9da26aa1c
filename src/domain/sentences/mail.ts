// Letter by letter: see everywhere.ts.

export const mailNotSent = "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide."
export const mailSent = "L'email a bien été envoyé."
export const nobodyLate = 'Retards introuvables.'
export const nobodyBorrows = 'Prêts en cours introuvables.'
export const remindersQuestion = (count: number): string =>
  `${count} email(s) ${count > 1 ? 'seront envoyés' : 'sera envoyé'}. Voulez vous continuer ?`
export const recapQuestion =
  'Chaque bénéficiaire ayant des prêts en cours recevra un email récapitulatif. Voulez vous continuer ?'
