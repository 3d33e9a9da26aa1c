import type { HelpOfScreens } from './screen-help.ts'

export const readerHelp: HelpOfScreens = {
  '/beneficiaries': {
    title: 'Lecteurs',
    says: [
      'Les personnes et les collectivités inscrites. Cherchez par le nom, le matricule ou le numéro\u202f; une carte scannée ouvre sa fiche, sauf là où l’écran attend lui-même un scan.',
      '«\u00a0Inscrire un lecteur\u00a0» ajoute une fiche\u202f; «\u00a0Importer\u00a0» en reprend beaucoup d’un tableau.',
      'Les cartes s’impriment une à une, pour les lecteurs cochés, ou pour toute la liste telle qu’elle est filtrée.',
      'Qui part n’est pas supprimé\u202f: on met fin à son inscription, et «\u00a0Sortis\u00a0» le retrouve.',
    ],
  },
  '/beneficiaries/view/:beneficiary_id': {
    title: 'Fiche d’un lecteur',
    says: [
      'Ce qu’il a, ce qu’il doit, ce qui l’attend, puis son identité\u202f; les autres onglets ont tous ses prêts, réservations, proches, courriels, le journal et ses données.',
      '«\u00a0Prêter\u00a0» ouvre un prêt à son nom\u202f; les autres gestes (carte, fin d’inscription…) sont dans le menu à côté.',
      'Un proche emprunte au nom du lecteur, avec son propre numéro s’il en a un.',
      '«\u00a0Ses données\u00a0» donne une copie de tout ce qui est gardé de la personne, et l’efface une fois tout rendu. L’effacement ne se reprend pas.',
    ],
  },
  '/beneficiaries/add': {
    title: 'Inscrire un lecteur',
    says: [
      'Seul le nom est obligatoire. Le matricule se donne de lui-même\u202f; scannez la carte dans «\u00a0Numéro de lecteur\u00a0».',
      'Les homonymes et qui a déjà ce courriel se montrent pendant la saisie\u202f: regardez-les avant d’enregistrer deux fois la même personne.',
      '«\u00a0Message\u00a0» est lu par l’équipe au comptoir, chaque fois que le lecteur y est choisi.',
      'Le contrat et les dossiers peuvent décider de ce que le lecteur emprunte, selon les supports.',
    ],
  },
  '/beneficiaries/edit/:beneficiary_id': {
    title: 'Modifier un lecteur',
    says: [
      'Ce qui est changé se compte en bas de l’écran, et rien n’est gardé avant «\u00a0Enregistrer\u00a0».',
      'Une carte perdue se remplace en scannant la nouvelle dans «\u00a0Numéro de lecteur\u00a0»\u202f: l’ancienne ne vaut plus.',
      'Le courriel, le téléphone et l’adresse ne se montrent qu’à qui a le droit de les voir.',
    ],
  },
}
