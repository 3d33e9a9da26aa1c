import type { HelpOfScreens } from './screen-help.ts'

const period =
  'La période se choisit en haut, sur un téléphone sous «\u00a0Filtres\u00a0»\u202f; elle se compare à la précédente, et les chiffres qui sont des liens mènent à ce qu’ils comptent.'

export const statisticsHelp: HelpOfScreens = {
  '/statistics': {
    title: 'Statistiques',
    says: [
      'Les chiffres du mois que votre profil ouvre, jour par jour, comparés au mois d’avant\u202f; chacun mène à ce qu’il compte.',
      'Les autres, chacun sur son écran, sont sous «\u00a0Rapports\u00a0».',
      'Pour les chiffres demandés chaque année, ouvrez «\u00a0Rapport annuel\u00a0»\u202f: il dit aussi ce qui manque pour qu’ils soient justes.',
    ],
  },
  '/statistics/activity': {
    title: 'Activité',
    says: [
      'Les sorties et les retours de chaque jour de la période.',
      period,
      'Un prêt annulé n’est pas compté.',
    ],
  },
  '/statistics/references': {
    title: 'Références',
    says: [
      'Le catalogue par catégorie et par support, et les titres les plus prêtés de la période.',
      'Avec un site choisi, ce sont les références qui y ont un exemplaire.',
      '«\u00a0Excel\u00a0» en fait un classeur.',
    ],
  },
  '/statistics/beneficiaries': {
    title: 'Lecteurs',
    says: [
      'Combien de lecteurs ont emprunté dans la période, par contrat, ancienneté et site, et qui emprunte le plus.',
      'Un lecteur compte une fois, quel que soit le nombre de ses prêts, même oublié depuis.',
      period,
    ],
  },
  '/statistics/loanings': {
    title: 'Prêts',
    says: [
      'Les prêts de la période, par mois, support, catégorie et site, avec les retards et les montants.',
      period,
      '«\u00a0Excel\u00a0» en fait un classeur.',
    ],
  },
  '/statistics/active': {
    title: 'En ce moment',
    says: [
      'Ce qui est dehors en ce moment, et depuis combien de jours en retard\u202f; ces chiffres sont lus à chaque visite.',
      '«\u00a0Voir les retards\u00a0» mène à la liste d’où l’on relance.',
    ],
  },
  '/statistics/yearly': {
    title: 'Rapport annuel',
    says: [
      'Collections, acquisitions, éliminations, emprunteurs, prêts et ouverture d’une année, pour un site ou tous.',
      'Lisez d’abord «\u00a0À vérifier avant l’envoi\u00a0»\u202f: ce qui manque y est dit, et se complète dans les fiches.',
      '«\u00a0NC\u00a0» est ce que personne n’a noté, et n’est pas zéro.',
      'Les supports sont les vôtres\u202f: le formulaire officiel peut les grouper autrement.',
    ],
  },
}
