import type { HelpOfScreens } from './screen-help.ts'

/** The library, its people and its data. */
export const settingsHelp: HelpOfScreens = {
  '/settings': {
    title: 'Réglages',
    says: [
      'Tous les réglages que votre profil ouvre, par sujet. «\u00a0Chercher un réglage\u00a0» en trouve un par ses mots, jusqu’à un seul paramètre.',
      'Commencez par «\u00a0Premiers pas\u00a0» si la bibliothèque vient d’ouvrir Comptoir.',
    ],
  },
  '/settings/global': {
    title: 'Paramètres généraux',
    says: [
      'Les usages de la bibliothèque, chacun avec une phrase sur ce qu’il change.',
      'Ils s’enregistrent ensemble, ou pas du tout si l’un d’eux est refusé.',
      '«\u00a0Minutes sans geste avant de verrouiller l’écran\u00a0» protège un poste laissé seul.',
    ],
  },
  '/settings/email_templates': {
    title: 'Modèles de courriel',
    says: [
      'Ce que la bibliothèque écrit, dans l’ordre où un prêt le rencontre\u202f; chaque ligne dit si le courriel est envoyé.',
      'Les annonces d’échéance et les rappels partent chaque jour dès qu’ils sont activés\u202f: relisez leur texte avant.',
      'Un rappel suppose que le précédent soit parti\u202f; un niveau désactivé est passé.',
    ],
  },
  '/settings/mail/:template': {
    title: 'Un modèle de courriel',
    says: [
      'Écrivez l’objet et le texte\u202f; «\u00a0Insérer\u00a0» met ce qui change d’un lecteur à l’autre, comme son prénom.',
      'L’aperçu est écrit pour un lecteur inventé, et «\u00a0M’envoyer un essai\u00a0» vous l’envoie.',
      'Un texte qui ne pourrait pas être envoyé est refusé à l’enregistrement.',
    ],
  },
  '/start': {
    title: 'Premiers pas',
    says: [
      'Cinq étapes d’une installation vide au premier prêt\u202f; chacune peut être remise à plus tard.',
      'Un modèle pose supports, catégories et motifs\u202f: retouchez-le avant\u202f; ce qui existe déjà reste comme il est.',
      'L’exemple (quarante titres, vingt lecteurs inventés) se retire en une fois.',
    ],
  },
  '/users': {
    title: 'Utilisateurs',
    says: [
      'Qui peut se connecter, avec quel profil et à quels sites.',
      'Sans mot de passe, une personne ajoutée reçoit par courriel un lien de connexion.',
      'Qui part est désactivé, et aussitôt déconnecté\u202f; son nom reste sur ce qu’il a fait.',
      'Un téléphone perdu\u202f: «\u00a0Retirer le deuxième facteur\u00a0», après vous être assuré de qui le demande.',
    ],
  },
  '/settings/permissions': {
    title: 'Profils et droits',
    says: [
      'Chaque personne a un profil, qui dit ce qu’elle peut faire. La différence se lit avant d’enregistrer.',
      'Un changement vaut aussitôt pour toutes celles qui ont ce profil.',
      '«\u00a0Voir comme ce profil\u00a0» montre ses menus et ses boutons, pour vérifier.',
    ],
  },
  '/settings/devices': {
    title: 'Appareils',
    says: [
      'Ce que chaque appareil garde et quand il a parlé au serveur pour la dernière fois.',
      '«\u00a0À surveiller\u00a0» montre ceux où des actions attendent depuis longtemps\u202f: rallumez-les avec le réseau.',
      'Un appareil perdu ou vendu se déconnecte et s’oublie\u202f; ce qu’il gardait encore devra être confirmé par la personne.',
    ],
  },
  '/settings/installation': {
    title: 'État de l’installation',
    says: [
      'Le serveur, sa base, le courrier, la sauvegarde et les pages ouvertes, point par point, avec ce qu’il y a à faire.',
      '«\u00a0Copier\u00a0» en fait un texte sans secret ni nom de personne, à envoyer à qui vous aide.',
      'Sur la machine du serveur, la commande npm run doctor en dit autant, même quand il est arrêté.',
    ],
  },
  '/settings/acts': {
    title: 'Actes',
    says: [
      'Ce qui a été fait à plusieurs éléments à la fois\u202f: import, fusion, retrait du fonds, fermeture, inventaire.',
      'Un acte annulé rend leur état d’avant à ceux que personne n’a modifiés depuis, et nomme les autres.',
    ],
  },
  '/settings/acts/view/:act_id': {
    title: 'Un acte',
    says: [
      'Ce que l’acte a touché, avec son état d’avant et celui d’aujourd’hui.',
      'L’annulation se fait en arrière-plan\u202f; ce qui a été modifié, prêté ou réservé depuis reste comme il est.',
      'Ce qui est effacé pour de bon, comme un lecteur, ne revient pas.',
    ],
  },
  '/settings/sessions': {
    title: 'Sessions ouvertes',
    says: [
      'Qui est connecté, sur quel appareil. Une tablette perdue, une personne partie\u202f: fermez ici sa session.',
      'L’appareil oublie les lecteurs à son prochain contact avec le serveur, et non avant.',
    ],
  },
  '/settings/image': {
    title: 'Image de l’organisation',
    says: [
      'L’image qui accueille sur l’écran de connexion.',
      'Choisissez un fichier ou déposez-le\u202f; un fichier refusé dit pourquoi.',
    ],
  },
  '/settings/leaving': {
    title: 'Emporter les données',
    says: [
      'Un fichier zip de tout ce que la bibliothèque a mis ici, lisible par d’autres logiciels et repris par une autre installation de Comptoir.',
      'Il se prépare en arrière-plan, et le serveur l’efface après un jour.',
      'Il contient les données personnelles de tous les sites\u202f: gardez-le en lieu sûr. Ce n’est pas une sauvegarde des mots de passe ni du journal.',
    ],
  },
  '/settings/personal_data': {
    title: 'Données personnelles',
    says: [
      'Une fois votre accord donné, chaque nuit coupe de leur lecteur les prêts finis depuis plus longtemps que le délai\u202f; les statistiques restent exactes.',
      '«\u00a0Suspendre\u00a0» arrête l’oubli jusqu’à un nouvel accord\u202f; ce qui est déjà oublié l’est pour toujours.',
      'Le registre des traitements et la notice aux lecteurs se copient et s’impriment\u202f; ce qui est entre crochets est à remplir.',
    ],
  },
  '/settings/personal_data/inactive': {
    title: 'Lecteurs à effacer',
    says: [
      'Qui n’a rien emprunté, prolongé ni rendu depuis longtemps, n’a rien à rendre et n’attend rien. Cochez ceux que vous laissez partir.',
      'Effacer ne s’annule pas. Qui emprunte entre-temps reste.',
      'Qui a encore un porte-monnaie se solde d’abord, sur sa fiche.',
    ],
  },
  '/settings/sites': {
    title: 'Sites',
    says: [
      'Les lieux de la bibliothèque, leurs heures d’ouverture par semaine et la numérotation de leurs exemplaires.',
      'Les trois prochains codes se lisent pendant la saisie\u202f; un code n’est jamais donné deux fois.',
      'Hors service, un site n’est plus proposé et garde ce qui est à lui.',
    ],
  },
  '/settings/translations': {
    title: 'Mots de l’organisation',
    says: [
      'Le mot que les menus, titres, colonnes et boutons disent à la place de celui du logiciel.',
      'Donnez le singulier et le pluriel, et le genre\u202f: les articles suivent.',
      'Les fichiers exportés le disent aussi\u202f; les courriels et les documents imprimés gardent le mot d’origine, qui se remet d’un geste.',
    ],
  },
  '/settings/closures': {
    title: 'Jours d’ouverture',
    says: [
      'La semaine de chaque site, ses fermetures et les jours fériés\u202f: les retours et les mises de côté passent les jours fermés.',
      '«\u00a0Fermer…\u00a0» montre ce qui se déplace avant de valider, répartit les retours si vous le voulez, et s’annule depuis les actes.',
      'Supprimer une fermeture rouvre ses jours, mais laisse où ils sont les retours déplacés\u202f: pour les remettre aussi, annulez l’acte.',
    ],
  },
  '/settings/sync': {
    title: 'Synchronisation',
    says: [
      'Les lecteurs sont lus dans le fichier des personnes de l’organisation, chacun reconnu à son matricule.',
      'Qui manque est ajouté\u202f; ce que le fichier dit remplace ce qui est ici\u202f; personne n’est supprimé.',
      'Une synchronisation s’annule comme un import, depuis les actes.',
    ],
  },
}
