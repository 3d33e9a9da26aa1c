import type { HelpOfScreens } from './screen-help.ts'

export const catalogueHelp: HelpOfScreens = {
  '/references': {
    title: 'Références',
    says: [
      'Le catalogue\u202f: une ligne par titre ou par objet, avec ses exemplaires disponibles.',
      'Cherchez par titre, auteur ou code\u202f; les autres filtres sont dans «\u00a0Filtres\u00a0», et chacun choisit ceux qu’il voit.',
      'Le signe + au-dessus de la liste garde sous un nom les filtres, l’ordre et les colonnes, pour vous ou pour l’équipe.',
      'Une référence n’est pas ce qui se prête\u202f: ce sont ses exemplaires, chacun avec son code-barres.',
    ],
  },
  '/references/view/:reference_id': {
    title: 'Fiche d’une référence',
    says: [
      'Où sont ses exemplaires, qui l’attend, ses derniers prêts, puis ses renseignements.',
      '«\u00a0Ajouter un exemplaire\u00a0» en ajoute un ou cinquante, avec les prochains codes du site ou ceux de vos étiquettes, scannées ou collées.',
      'Chaque exemplaire se modifie, se rend indisponible, se transfère ou se retire du fonds depuis sa ligne.',
      'Supprimer une référence retire aussi ses exemplaires du fonds et prévient qui l’attendait\u202f; les prêts passés restent.',
    ],
  },
  '/references/add': {
    title: 'Ajouter une référence',
    says: [
      'Scannez ou tapez l’ISBN dans «\u00a0Code\u00a0»\u202f: la notice est cherchée à la BnF, puis à Open Library, avec sa couverture. Relisez-la, complétez, enregistrez.',
      'Ce que vous avez déjà écrit n’est jamais remplacé par ce qui est trouvé.',
      'Le support décide de la durée des prêts et de leurs limites\u202f: sans lui, un prêt dure un jour.',
      'Un code déjà au catalogue propose plutôt d’ajouter un exemplaire.',
    ],
  },
  '/references/edit/:reference_id': {
    title: 'Modifier une référence',
    says: [
      'Ce qui est changé se compte en bas de l’écran, et rien n’est gardé avant «\u00a0Enregistrer\u00a0».',
      'Changer de support change les règles de ses prochains prêts.',
      'Si un collègue l’a modifiée entre-temps, vous voyez ce qu’il a changé et choisissez.',
    ],
  },
  '/bar_codes': {
    title: 'Codes-barres',
    says: [
      'Les étiquettes à coller sur les exemplaires. Cochez des références, ou filtrez la liste, puis imprimez.',
      '«\u00a0À étiqueter\u00a0» montre les exemplaires dont personne n’a encore dit l’étiquette imprimée.',
      '«\u00a0Imprimer une plage\u00a0» retient des codes pour des étiquettes à coller avant d’ajouter les exemplaires\u202f: scanner l’un d’eux proposera d’ajouter le sien.',
    ],
  },
  '/bar_codes/print': {
    title: 'Imprimer des étiquettes',
    says: [
      'Choisissez la planche ou le rouleau, ce que montre chaque étiquette, et sur une feuille entamée la première place libre\u202f; l’aperçu montre ce qui sortira.',
      'Dans la fenêtre d’impression, choisissez «\u00a0taille réelle\u00a0»\u202f: ajustée à la page, une étiquette tombe à côté.',
      'Si tout est décalé, imprimez la «\u00a0Feuille de réglage\u00a0», mesurez ses deux traits et donnez les mesures à l’imprimante, dans les réglages.',
      'Dites ensuite si les étiquettes sont bien imprimées\u202f: elles quittent alors «\u00a0À étiqueter\u00a0».',
    ],
  },
  '/inventories': {
    title: 'Inventaires',
    says: [
      'Un inventaire dit ce qui manque, ce qui est mal rangé et ce qui est en rayon quoique prêté. On le compte à plusieurs, au téléphone, même sans réseau.',
      'Rien ne change avant que vous n’ayez examiné ce qui est trouvé et choisi quoi en faire.',
      'Ce qui a été scanné sur cet appareil et n’est pas encore envoyé se voit ici aussi.',
    ],
  },
  '/inventories/add': {
    title: 'Nouvel inventaire',
    says: [
      'Comptez tout un site, ou seulement les emplacements, catégories et supports choisis ici.',
      'Plus c’est petit, plus c’est vite fini\u202f: un rayon se compte en une matinée et s’examine le jour même.',
      'La bibliothèque reste ouverte\u202f: ce qui est prêté pendant ce temps ne passe pas pour absent.',
    ],
  },
  '/inventories/view/:inventory_id': {
    title: 'Un inventaire',
    says: [
      'Où il en est, rayon par rayon, et qui compte sur quel appareil.',
      '«\u00a0Compter\u00a0» ouvre le scan\u202f; «\u00a0Examiner et appliquer\u00a0» montre ce qui est trouvé et finit l’inventaire.',
      'Suspendu, il ne compte plus ce qui est scanné.',
      'Une fois appliqué, tout s’annule en une fois depuis les actes.',
    ],
  },
  '/inventories/count/:inventory_id': {
    title: 'Compter',
    says: [
      'Scannez l’étiquette d’un rayon ou choisissez-le, puis tout ce qui s’y trouve\u202f: ce qui suit y est rangé.',
      'Ouvert une fois avec le réseau sur cet appareil, l’inventaire se compte ensuite partout. Les scans partent d’eux-mêmes.',
      'Scanner deux fois le même exemplaire ne le compte qu’une fois.',
      'Une étiquette illisible se saisit, ou l’exemplaire se coche dans la liste. Scannez l’étiquette de la bibliothèque, non l’ISBN de la couverture.',
    ],
  },
  '/inventories/review/:inventory_id': {
    title: 'Examiner un inventaire',
    says: [
      'Ce qui est trouvé, par groupes\u202f: absents, mal rangés, prêtés vus en rayon, inconnus… Pour chaque groupe, cochez ce qui doit changer.',
      'Cherchez encore les absents avant de les retirer du fonds\u202f: beaucoup sont seulement mal rangés.',
      'Appliquer finit l’inventaire. Ce qui a changé entre-temps reste comme il est, et le tout s’annule depuis les actes.',
    ],
  },
  '/weeding': {
    title: 'Désherbage',
    says: [
      'Les exemplaires qui pourraient quitter le fonds. Filtrez par derniers prêts, état ou date d’acquisition, et mettez au panier ceux que vous choisissez.',
      'Le panier est le même pour tout le site, et se remplit aussi en rayon, au téléphone.',
      'Rien ne quitte le fonds ici\u202f: c’est au panier que l’on retire.',
    ],
  },
  '/weeding/cart': {
    title: 'Panier du désherbage',
    says: [
      'Scannez en rayon ce qui part, ou ôtez du panier ce qui reste. Sa ligne dit ce qui ne peut pas partir\u202f: en prêt, en transfert, attendu.',
      '«\u00a0Liste pour le conseil\u00a0» fait le document à signer avant la délibération, en pages ou en classeur.',
      '«\u00a0Retirer du fonds\u00a0» demande où vont les exemplaires et les retire en un acte. Ce qui ne peut pas partir reste au panier.',
    ],
  },
  '/weeding/past': {
    title: 'Désherbages faits',
    says: [
      'Ce qui a quitté le fonds, désherbage par désherbage, avec sa liste pour le conseil.',
      '«\u00a0Annuler ce désherbage\u00a0» rend ses exemplaires au catalogue et au panier\u202f; ce qui a été modifié depuis reste comme il est.',
    ],
  },
  '/imports': {
    title: 'Imports',
    says: [
      'Les fichiers importés et ceux qui attendent\u202f: chacun dit s’il est lu, essayé, importé ou annulé.',
      'Un import s’annule longtemps après\u202f: ce qui a changé depuis reste, et est nommé.',
      'Le même fichier importé deux fois n’ajoute rien deux fois.',
    ],
  },
  '/imports/add': {
    title: 'Importer un fichier',
    says: [
      'Dites ce que le fichier apporte, puis donnez-le\u202f: un tableau (CSV, xlsx, ods), ou des notices UNIMARC. Lire le fichier ne change rien.',
      'Importez dans cet ordre\u202f: le catalogue avec ses exemplaires, les lecteurs, puis les prêts en cours, qui les nomment.',
      'Un fichier va jusqu’à 16 Mo\u202f; un plus grand s’importe sur le serveur.',
    ],
  },
  '/imports/view/:import_id': {
    title: 'Un import',
    says: [
      'Regardez comment le fichier se lit, dites ce que donne chaque colonne, puis validez.',
      '«\u00a0Essayer\u00a0» montre ce qui serait ajouté, modifié et refusé, sans rien changer. «\u00a0Importer\u00a0» le fait, en arrière-plan\u202f: vous pouvez quitter l’écran.',
      'Sauf choix contraire, ce qui est déjà écrit est gardé et seul ce qui est vide se remplit.',
      'Les lignes refusées se téléchargent avec leur raison\u202f: corrigez-les dans ce fichier, puis importez-le à son tour.',
    ],
  },
}
