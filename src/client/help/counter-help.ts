import type { HelpOfScreens } from './screen-help.ts'

export const counterHelp: HelpOfScreens = {
  '/home': {
    title: 'Accueil',
    says: [
      'Scannez une carte, puis des exemplaires\u202f: chacun est prêté aussitôt. Un exemplaire déjà en prêt, scanné, est rendu, et sa ligne dit à qui il était prêté.',
      'Chercher ne fait rien de soi-même\u202f: un nom ou un titre tapé montre ce qui est trouvé, et c’est vous qui choisissez.',
      'Chaque ligne a son «\u00a0Annuler\u00a0», pendant dix minutes. Une question posée sur une ligne, ou le prêt complet qu’un refus ouvre à côté, attend votre réponse sans arrêter les scans.',
      'Un lecteur laissé sans geste se grise, puis sa carte est à scanner de nouveau\u202f: le suivant n’emprunte pas à son nom.',
      'Les prêts du site à rendre aujourd’hui et ceux en retard se lisent sur le même écran. Sans réseau, on continue\u202f: ce qui est dit «\u00a0Enregistré, à envoyer\u00a0» part dès qu’il revient.',
    ],
  },
  '/loaning/add': {
    title: 'Prêter',
    says: [
      'Pour prêter plusieurs exemplaires d’un coup, ou autrement que d’habitude\u202f: choisissez le lecteur, ajoutez les exemplaires en les scannant ou en les cherchant, puis enregistrez.',
      'Rien n’est prêté avant «\u00a0Enregistrer et continuer\u00a0» ou «\u00a0Enregistrer et quitter\u00a0».',
      'Date de début, durée, commentaire et gratuité se déplient sous les exemplaires\u202f; un montant se change en le pressant.',
      'Ce que les règles refusent se lit au-dessus des boutons. «\u00a0Prêter quand même\u00a0», pour qui en a le droit, demande un motif, que le prêt garde.',
      'Sans réseau, cet écran prête aussi\u202f; vendre l’attend.',
    ],
  },
  '/loaning/return': {
    title: 'Rendre',
    says: [
      'Scannez ce qui revient, ou cherchez le lecteur pour cocher ce qu’il rend\u202f; «\u00a0Enregistrer le retour\u00a0» rend tout ce qui est coché.',
      'L’état et un commentaire se notent sur chaque exemplaire avant d’enregistrer.',
      'Une pénalité de retard se montre avant que le retour soit enregistré\u202f: on la garde ou on la lève.',
      'Un exemplaire que quelqu’un attend dit aussitôt pour qui le mettre de côté. Sans réseau, les retours s’enregistrent aussi.',
    ],
  },
  '/waiting': {
    title: 'Actions en attente',
    says: [
      'Ce que cet appareil a enregistré et que le serveur n’a pas encore appliqué. Tout part de soi-même dès que le réseau répond\u202f; «\u00a0Tout envoyer maintenant\u00a0» n’attend pas.',
      'Une action refusée montre ce que chacun sait des faits\u202f: choisissez comment la régler. Rien ne s’efface seul.',
      'Une action d’une autre personne part à sa prochaine connexion ici, ou quand un responsable la reprend.',
      '«\u00a0Exporter la file\u00a0» met le tout dans un fichier qu’un autre appareil importe\u202f: importée deux fois, chaque action n’est faite qu’une fois.',
      'Ne videz pas la mémoire du navigateur tant que quelque chose attend ici.',
    ],
  },
  '/account': {
    title: 'Mon compte',
    says: [
      'Votre mot de passe, votre deuxième facteur et vos sessions\u202f; le thème, les sons, les touches seules et le lecteur de codes-barres de cet appareil.',
      'Les préférences de l’appareil valent pour toutes les personnes qui s’y connectent.',
      '«\u00a0Travail hors ligne\u00a0» dit ce que l’appareil sait sans réseau et si le navigateur promet de le garder\u202f: «\u00a0Demander la protection\u00a0» l’obtient.',
      'Changer de mot de passe ferme vos sessions sur les autres appareils.',
    ],
  },
}
