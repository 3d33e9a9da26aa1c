import type { HelpOfScreens } from './screen-help.ts'

export const followHelp: HelpOfScreens = {
  '/loanings': {
    title: 'Prêts',
    says: [
      'Tous les prêts, ceux en cours d’abord\u202f; les onglets montrent les retards et ce qui est rendu aujourd’hui.',
      'Sur une ligne\u202f: rendre, prolonger, relancer, commenter un retard. Plusieurs prêts cochés se prolongent ou se relancent ensemble.',
      'Prolonger compte depuis l’ancienne date de retour et dit la nouvelle avant de valider\u202f: un prêt très en retard peut le rester.',
      '«\u00a0Envoyer un récapitulatif\u00a0» écrit à chaque lecteur qui a un prêt en cours, après une question.',
    ],
  },
  '/loanings/view/:loaning_id': {
    title: 'Fiche d’un prêt',
    says: [
      'Qui, quoi, depuis quand, jusqu’à quand, et pourquoi ce jour\u202f; son lecteur et son titre sont des liens.',
      '«\u00a0Annuler le prêt\u00a0» fait comme s’il n’avait pas eu lieu. Si l’exemplaire est revenu, enregistrez plutôt son retour.',
      'Rendre un prêt commencé le jour même l’annule, après une question.',
      'À côté de la liste, J et K passent à la fiche suivante et à la précédente, et Échap ferme la fiche.',
    ],
  },
  '/loanings/edit/:loaning_id': {
    title: 'Modifier un prêt',
    says: [
      'Pour corriger la date de début, la durée ou le commentaire d’un prêt déjà enregistré.',
      'Pour donner seulement plus de temps, «\u00a0Prolonger\u00a0» suffit, depuis la liste ou la fiche.',
      'Une date ou une durée hors des limites de la bibliothèque demande un motif et le droit de passer outre.',
    ],
  },
  '/reservations': {
    title: 'Réservations',
    says: [
      'Qui attend quoi. Les onglets suivent le chemin d’une demande\u202f: à servir, à retirer, à chercher en rayon, servies.',
      '«\u00a0Confirmer\u00a0» met un exemplaire de côté s’il y en a un de libre\u202f; «\u00a0Prêter\u00a0» sert la demande\u202f; les autres gestes sont dans le menu de la ligne.',
      'Après une décision, le courriel au lecteur est proposé\u202f: rien ne part sans vous.',
      '«\u00a0Supprimer\u00a0» est pour une erreur et n’avertit personne\u202f; «\u00a0Annuler\u00a0» est pour un lecteur qui renonce.',
    ],
  },
  '/reservations/add': {
    title: 'Réserver',
    says: [
      'Choisissez le lecteur et la référence, en les cherchant ou en scannant carte et étiquette\u202f: le rang dans la file se dit aussitôt.',
      'Sans exemplaire choisi, le premier qui revient convient. Choisir un exemplaire, c’est attendre celui-là seul.',
      'Le site de retrait est celui où le lecteur viendra\u202f; l’exemplaire peut devoir y être transféré.',
    ],
  },
  '/reservations/edit/:reservation_id': {
    title: 'Modifier une réservation',
    says: [
      'Changez l’exemplaire souhaité, le site de retrait ou le commentaire, et lisez qui attend avant et après.',
      'Quand un exemplaire est déjà mis de côté, remettez d’abord la réservation en attente.',
    ],
  },
  '/reservations/set_aside': {
    title: 'À retirer',
    says: [
      'Les exemplaires mis de côté, pour qui, et jusqu’à quand. Le bulletin à glisser dans le livre s’imprime d’ici.',
      '«\u00a0Non retirés à temps\u00a0» montre ce que personne n’est venu chercher\u202f: «\u00a0Passer au suivant\u00a0» annule la réservation et garde l’exemplaire pour la personne d’après.',
      'Rien ne s’annule seul\u202f: regardez cette liste souvent.',
    ],
  },
  '/reservations/picking': {
    title: 'À chercher en rayon',
    says: [
      'Les exemplaires disponibles ici que quelqu’un attend, dans l’ordre des rayons. Imprimez la liste ou emportez un téléphone.',
      'Scannez ce que vous prenez\u202f: il est mis de côté pour la personne qui l’attend, et sa ligne se coche.',
      'Un exemplaire qui se retire ailleurs dit à quel site l’envoyer.',
    ],
  },
  '/calendar': {
    title: 'Calendrier',
    says: [
      'Le calendrier s’ouvre sur aujourd’hui\u202f: ce qui part, revient ou est en retard d’abord, un exemplaire par ligne, jour par jour. «\u00a0Départs / Retours\u00a0» en dit la liste, et «\u00a0Jour affiché\u00a0» va à un autre.',
      'Touchez une barre pour voir ce qui peut s’y faire. Des jours libres se réservent en les tirant, et un prêt se prolonge en tirant sa fin, à la souris ou au clavier.',
      'Trois caractères d’une référence, deux d’une catégorie, un code-barres ou une date montrent douze semaines de chaque exemplaire trouvé\u202f: libre, réservé, prêté, en retard, et les jours fermés.',
    ],
  },
  '/mails': {
    title: 'Courriels',
    says: [
      'Ce qui est parti, ce qui attend, et ce qui n’a pas pu partir, avec quoi y faire.',
      'Un courriel qui échoue est réessayé de lui-même pendant une demi-journée. Une adresse refusée se corrige sur la fiche du lecteur, puis on réessaie.',
      'Un rappel dont tout est rendu avant son départ ne part pas.',
    ],
  },
  '/letters': {
    title: 'Lettres',
    says: [
      'Qui est en retard et n’a pas d’adresse électronique reçoit une lettre, rangée ici par commune.',
      'Imprimez, pliez en trois pour une enveloppe à fenêtre à droite, puis dites si les lettres sont bien imprimées.',
      'Tant que vous ne l’avez pas dit, elles restent à imprimer.',
    ],
  },
  '/transfers': {
    title: 'Transferts',
    says: [
      'Ce qui voyage d’un site à l’autre\u202f: «\u00a0À recevoir\u00a0» ici, et «\u00a0Partis d’ici\u00a0».',
      'Scannez ce que la navette apporte, ou confirmez sa réception ligne par ligne ou par lots.',
      'En transfert, un exemplaire ne se prête pas tant que son arrivée n’est pas confirmée.',
    ],
  },
  '/sales': {
    title: 'Ventes',
    says: [
      'Les exemplaires vendus, à qui, quand et combien. Une vente se fait depuis «\u00a0Prêter\u00a0» ou l’accueil, en scannant un exemplaire à vendre.',
      'La liste se filtre par jours et s’exporte pour la caisse.',
      'Une vente se supprime le jour même, et l’exemplaire redevient disponible.',
    ],
  },
  '/sales/view/:id': {
    title: 'Fiche d’une vente',
    says: [
      'L’exemplaire vendu, l’acheteur, le montant et le motif d’une gratuité.',
      'Le jour même, «\u00a0Supprimer la vente\u00a0» la reprend\u202f; après, elle reste pour les comptes.',
    ],
  },
}
