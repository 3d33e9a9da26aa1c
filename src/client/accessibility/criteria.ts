/** `à vérifier`: a machine cannot tell, or not all of it, and nobody has looked yet. */
export const outcomes = ['conforme', 'non conforme', 'non applicable', 'à vérifier'] as const
type Outcome = (typeof outcomes)[number]

type Criterion = {
  /** What is asked for, in our words. */
  asks: string
  outcome: Outcome
  /** What makes it so, or what remains. */
  note: string
}
type Theme = { name: string; criteria: readonly Criterion[] }

const met = (asks: string, note: string): Criterion => ({ asks, outcome: 'conforme', note })
const notMet = (asks: string, note: string): Criterion => ({ asks, outcome: 'non conforme', note })
const without = (asks: string, note: string): Criterion => ({ asks, outcome: 'non applicable', note })
const toCheck = (asks: string, note: string): Criterion => ({ asks, outcome: 'à vérifier', note })

const noMedia = 'Aucun son ni aucune vidéo enregistrés\u202f: la caméra ne montre que ce qu’elle voit.'
const noComplexTable =
  'Chaque tableau a une ligne d’en-têtes, et une colonne au plus\u202f: aucun n’est complexe.'
const noLayoutTable = 'Aucun tableau ne sert à la mise en page.'
const noCryptic = 'Ni art ASCII, ni émoticône, ni langage abrégé.'

/** The 106 criteria of RGAA 4.1 by theme, in its order, with what a machine and a keyboard found (docs/decisions/0054). */
export const themes: readonly Theme[] = [
  {
    name: 'Images',
    criteria: [
      met(
        'Une image qui informe a une alternative textuelle.',
        'Images, pictogrammes et graphiques de chaque écran.',
      ),
      met(
        'Une image de décoration est ignorée des technologies d’assistance.',
        'Un pictogramme sans nom est caché\u202f; une couverture, à côté de son titre, a une alternative vide.',
      ),
      toCheck('L’alternative d’une image est pertinente.', 'Chaque alternative est à lire avec son image.'),
      without('L’alternative d’un CAPTCHA dit ce qu’il est.', 'Aucun CAPTCHA.'),
      without('Un CAPTCHA a une autre voie d’accès.', 'Aucun CAPTCHA.'),
      met(
        'Une image qui le demande a une description détaillée.',
        'Seuls les graphiques la demandent\u202f: un tableau de toutes leurs valeurs les suit.',
      ),
      toCheck(
        'La description détaillée est pertinente.',
        'Tableau et graphique viennent des mêmes chiffres\u202f; l’essentiel dit par l’alternative est à lire.',
      ),
      toCheck(
        'Un texte en image est remplacé par du texte quand c’est possible.',
        'Le logiciel n’en a pas\u202f; l’image de l’organisation et les couvertures sont celles de la bibliothèque.',
      ),
      without('Une légende est reliée à son image.', 'Aucune image légendée.'),
    ],
  },
  {
    name: 'Cadres',
    criteria: [
      toCheck(
        'Chaque cadre a un titre.',
        'L’aperçu d’un courriel en a un, vérifié\u202f; celui d’une planche d’étiquettes en a un que l’outil, qui n’ouvre pas les PDF, n’a pas vu.',
      ),
      toCheck('Le titre du cadre est pertinent.', 'Les deux titres sont à lire avec ce qu’ils montrent.'),
    ],
  },
  {
    name: 'Couleurs',
    criteria: [
      toCheck(
        'L’information n’est pas donnée par la seule couleur.',
        'Les étiquettes d’état ont un mot, les graphiques des marques et des hachures\u202f; le reste est à regarder.',
      ),
      toCheck(
        'Le texte contraste assez avec son fond.',
        'Mesuré sur chaque écran, clair et sombre, à 4,5\u202f:\u202f1\u202f; restent l’état survolé et le texte posé sur une image.',
      ),
      toCheck(
        'Les bords des composants et les traits qui informent contrastent assez.',
        'Le bord des champs est mesuré à 3\u202f:\u202f1\u202f; restent pictogrammes, cases, interrupteurs et graphiques.',
      ),
    ],
  },
  {
    name: 'Multimédia',
    criteria: [
      without('Un média temporel a une transcription ou une audiodescription.', noMedia),
      without('Cette transcription ou cette audiodescription est pertinente.', noMedia),
      without('Un média synchronisé a des sous-titres.', noMedia),
      without('Ces sous-titres sont pertinents.', noMedia),
      without('Un média synchronisé a une audiodescription.', noMedia),
      without('Cette audiodescription est pertinente.', noMedia),
      without('Un média temporel est clairement identifié.', noMedia),
      without('Un média non temporel a une alternative.', noMedia),
      without('Cette alternative est pertinente.', noMedia),
      without(
        'Un son qui part seul peut être arrêté.',
        'Aucun son ne part seul\u202f: ceux du scanner durent moins d’une seconde, répondent à un geste et se coupent.',
      ),
      without('Un média temporel se commande au clavier et au pointeur.', noMedia),
      without('Un média non temporel se commande au clavier et au pointeur.', noMedia),
      without('Un média est compatible avec les technologies d’assistance.', noMedia),
    ],
  },
  {
    name: 'Tableaux',
    criteria: [
      without('Un tableau complexe a un résumé.', noComplexTable),
      without('Ce résumé est pertinent.', noComplexTable),
      without('Un tableau de mise en forme se lit encore mis en ligne.', noLayoutTable),
      met('Un tableau de données a un titre.', 'Légende ou nom de chaque tableau.'),
      toCheck(
        'Le titre du tableau est pertinent.',
        'Il reprend celui de l’écran ou du panneau\u202f: à lire.',
      ),
      met('Les en-têtes de colonnes et de lignes sont déclarés.', 'Chaque tableau de chaque écran.'),
      met(
        'Chaque en-tête est relié à ses cellules.',
        'Chaque en-tête dit de quoi il est celui, ligne ou colonne.',
      ),
      without('Un tableau de mise en forme n’a rien d’un tableau de données.', noLayoutTable),
    ],
  },
  {
    name: 'Liens',
    criteria: [
      toCheck('L’intitulé d’un lien est explicite.', 'Chaque intitulé est à lire seul, puis dans sa phrase.'),
      met('Chaque lien a un intitulé.', 'Chaque écran, sur téléphone et ordinateur.'),
    ],
  },
  {
    name: 'Scripts',
    criteria: [
      toCheck(
        'Un script est compatible avec les technologies d’assistance.',
        'Noms, rôles et états sont vérifiés sur chaque écran par un outil\u202f; aucun lecteur d’écran n’a servi.',
      ),
      without(
        'L’alternative à un script est pertinente.',
        'Aucun script n’a d’alternative\u202f: sans JavaScript, la page dit qu’il le faut.',
      ),
      toCheck(
        'Un script se commande au clavier et au pointeur.',
        'Le comptoir, les listes, les fenêtres et le calendrier sont essayés au clavier\u202f; chaque geste de chaque écran ne l’est pas.',
      ),
      toCheck(
        'Un changement de contexte est annoncé ou demandé.',
        'Aucun champ n’envoie de lui-même\u202f; une douchette, elle, ouvre ce qu’elle lit.',
      ),
      toCheck(
        'Les messages d’état sont restitués.',
        'Messages, refus et lectures du scanner sont dans des zones annoncées\u202f; aucun lecteur d’écran n’a servi.',
      ),
    ],
  },
  {
    name: 'Éléments obligatoires',
    criteria: [
      met('La page a un type de document.', 'HTML, à l’adresse de chaque écran.'),
      toCheck(
        'Le code source est valide.',
        'Aucun identifiant double ni renvoi vers rien\u202f; un validateur reste à passer.',
      ),
      met('La page a une langue par défaut.', 'Français.'),
      met('Le code de cette langue est juste.', '«\u202ffr\u202f».'),
      met('La page a un titre.', 'Chaque écran.'),
      met(
        'Ce titre est pertinent.',
        'Celui de l’écran, puis ce dont il dépend\u202f: aucun ne sert deux fois.',
      ),
      toCheck(
        'Un changement de langue est indiqué.',
        'Le logiciel ne parle que français\u202f; les titres du catalogue peuvent être d’une autre langue, qui n’est pas dite.',
      ),
      toCheck('Le code de chaque changement de langue est juste.', 'Dépend du critère précédent.'),
      toCheck(
        'Les balises ne servent pas qu’à la présentation.',
        'Aucune balise de présentation\u202f; l’usage de chaque autre est à relire.',
      ),
      toCheck(
        'Un changement du sens de lecture est signalé.',
        'Un titre en arabe ou en hébreu ne porte pas son sens de lecture.',
      ),
    ],
  },
  {
    name: 'Structuration',
    criteria: [
      toCheck(
        'L’information est structurée par des titres.',
        'Un titre de premier niveau par écran et aucun niveau sauté, vérifiés\u202f; leurs mots sont à lire.',
      ),
      met(
        'La structure du document est cohérente.',
        'En-tête, navigation et contenu, chacun dans sa zone, sur chaque écran.',
      ),
      toCheck(
        'Les listes sont structurées.',
        'Celles qui le sont le sont bien\u202f; restent celles qui devraient l’être.',
      ),
      without('Les citations sont indiquées.', 'Aucune citation.'),
    ],
  },
  {
    name: 'Présentation',
    criteria: [
      met(
        'La présentation vient des feuilles de styles.',
        'Ni balise ni attribut de présentation, sur aucun écran.',
      ),
      toCheck('L’information reste sans les feuilles de styles.', 'À regarder sans elles.'),
      toCheck('Elle reste compréhensible sans elles.', 'À lire sans elles, dans l’ordre.'),
      met(
        'Le texte reste lisible à 200\u202f%.',
        'Jusqu’à 400\u202f%, chaque écran se lit sans le faire défiler en largeur.',
      ),
      toCheck(
        'Couleurs de texte et de fond vont ensemble.',
        'Le thème donne les deux\u202f; chaque règle est à relire.',
      ),
      met('Un lien se distingue du texte qui l’entoure.', 'Mesuré sur chaque écran, en clair et en sombre.'),
      met('La prise de focus est visible.', 'À chaque arrêt de la touche Tab, sur chaque écran.'),
      toCheck(
        'Un contenu caché est bien à ignorer.',
        'Chaque contenu caché ou révélé est à comparer avec ce qui se voit.',
      ),
      toCheck(
        'L’information n’est pas donnée par la seule forme, taille ou position.',
        'Les phrases qui disent où regarder sont à relire.',
      ),
      toCheck('Ce qui la double est pertinent.', 'Dépend du critère précédent.'),
      met(
        'Le contenu se lit à 320 pixels de large sans défiler dans les deux sens.',
        'Chaque écran\u202f; les tableaux de chiffres, le calendrier et les graphiques défilent dans leur cadre.',
      ),
      toCheck(
        'Le texte peut être espacé sans rien perdre.',
        'Sur chaque écran, sur téléphone, rien n’est coupé\u202f; sur un grand écran, une cellule de liste trop longue finit par des points, et sa fiche dit tout.',
      ),
      toCheck(
        'Ce qui paraît au survol ou au focus peut être fermé, survolé et reste.',
        'Les menus se ferment par Échap\u202f; les infobulles sont celles du navigateur.',
      ),
      without(
        'Ce que seuls les styles font paraître s’atteint au clavier.',
        'Aucun contenu ne paraît par les styles seuls.',
      ),
    ],
  },
  {
    name: 'Formulaires',
    criteria: [
      met(
        'Chaque champ a une étiquette.',
        'Chaque écran, et les fenêtres essayées\u202f; les autres sont faites des mêmes pièces, qui demandent une étiquette.',
      ),
      toCheck('Cette étiquette est pertinente.', 'Chaque étiquette est à lire.'),
      toCheck(
        'Une même étiquette sert partout au même champ.',
        'Elles viennent des mêmes pièces\u202f: à comparer.',
      ),
      toCheck(
        'L’étiquette est à côté de son champ.',
        'Au-dessus, partout où elle se voit\u202f: à regarder.',
      ),
      toCheck(
        'Les champs de même nature sont regroupés.',
        'Les formulaires ont des parties titrées\u202f: à regarder.',
      ),
      toCheck('Chaque regroupement a une légende.', 'Dépend du critère précédent.'),
      toCheck('Cette légende est pertinente.', 'Dépend du critère précédent.'),
      toCheck(
        'Les choix d’une liste sont regroupés s’il le faut.',
        'Aucune liste ne l’est\u202f: à regarder pour les longues.',
      ),
      toCheck(
        'L’intitulé d’un bouton est pertinent.',
        'Chaque bouton en a un, qui dit ce qui est écrit dessus\u202f: à lire.',
      ),
      toCheck(
        'Le contrôle de la saisie est pertinent.',
        'L’erreur est reliée à son champ et reçoit le focus\u202f; obligations et formats attendus sont à relire.',
      ),
      toCheck(
        'Une erreur est suivie d’une suggestion, si possible.',
        'Chaque message d’erreur est à relire.',
      ),
      toCheck(
        'Ce qui modifie ou supprime des données peut être repris ou confirmé.',
        'Suppressions confirmées, actes repris, envois qui préviennent\u202f: à regarder un par un.',
      ),
      met(
        'Un champ sur la personne qui le remplit dit ce qu’il attend.',
        'Nom d’utilisateur, mot de passe et code, les seuls\u202f: les autres champs parlent d’autres personnes.',
      ),
    ],
  },
  {
    name: 'Navigation',
    criteria: [
      met('Il y a deux systèmes de navigation au moins.', 'Un menu et une recherche de tous les écrans.'),
      met('Menus et barres sont toujours à la même place.', 'Un seul cadre entoure tous les écrans.'),
      without('Le plan du site est pertinent.', 'Pas de plan\u202f: la recherche trouve chaque écran.'),
      without('Le plan du site s’atteint partout de la même façon.', 'Pas de plan.'),
      met('La recherche s’atteint partout de la même façon.', 'Dans la barre du haut, ou par Ctrl K.'),
      met('Les zones communes peuvent être atteintes ou évitées.', 'Zones nommées, sur chaque écran.'),
      met('Un lien mène au contenu.', 'Le premier arrêt de la touche Tab, sur chaque écran.'),
      toCheck(
        'L’ordre de tabulation est cohérent.',
        'Il suit celui de la page\u202f: à parcourir écran par écran.',
      ),
      met('Le clavier n’est pris au piège nulle part.', 'La touche Tab parcourt chaque écran.'),
      met(
        'Un raccourci d’une seule touche peut être coupé.',
        'Dans «\u202fMon compte\u202f», «\u202fRaccourcis d’une seule touche\u202f».',
      ),
      toCheck('Un contenu additionnel s’atteint au clavier.', 'À parcourir.'),
    ],
  },
  {
    name: 'Consultation',
    criteria: [
      toCheck(
        'Une limite de temps peut être changée ou levée.',
        'La bibliothèque règle celles du comptoir et du verrouillage\u202f; qui l’utilise ne le peut pas toujours.',
      ),
      toCheck(
        'Aucune fenêtre ne s’ouvre sans qu’on le demande.',
        'Toutes suivent un bouton ou un lien\u202f; ceux-ci ne l’annoncent pas tous.',
      ),
      notMet(
        'Un document à télécharger est accessible.',
        'Les PDF d’étiquettes et de cartes n’ont ni titre ni structure\u202f; les tableurs ont leurs en-têtes.',
      ),
      toCheck(
        'Sa version accessible dit la même chose.',
        'Ce que portent étiquettes et cartes se lit à l’écran\u202f: à comparer.',
      ),
      without('Un contenu cryptique a une alternative.', noCryptic),
      without('Cette alternative est pertinente.', noCryptic),
      met(
        'Rien ne change de luminosité ni ne clignote trop vite.',
        'Rien ne clignote\u202f: seules les esquisses de ce qui vient pâlissent, lentement, et pas pour qui demande moins d’animations.',
      ),
      met(
        'Ce qui bouge peut être arrêté.',
        'Rien ne bouge de soi-même, sinon ce qui attend une réponse\u202f; un écran venu ne bouge plus.',
      ),
      met(
        'L’écran se lit debout et couché.',
        'Aucune orientation n’est imposée, ni par la page ni par l’application installée.',
      ),
      toCheck(
        'Un geste complexe a une autre voie.',
        'Le calendrier se tire à la souris, et se fait au clavier\u202f: à essayer du doigt.',
      ),
      toCheck(
        'Une action au pointeur peut être abandonnée.',
        'Les boutons agissent au relâchement\u202f: à essayer.',
      ),
      without('Une action par mouvement de l’appareil a une autre voie.', 'Aucun mouvement n’agit.'),
    ],
  },
]

/** « 10.7 »: as RGAA numbers them. */
export const numberOf = (theme: number, criterion: number): string => `${theme + 1}.${criterion + 1}`

const all = themes.flatMap(({ criteria }) => criteria)
const countOf = (outcome: Outcome) => all.filter((one) => one.outcome === outcome).length

export const counts: Readonly<Record<Outcome, number>> = {
  conforme: countOf('conforme'),
  'non conforme': countOf('non conforme'),
  'non applicable': countOf('non applicable'),
  'à vérifier': countOf('à vérifier'),
}

/**
 * « Partiellement conforme » takes an audit that tells of every criterion; as long as one remains to be checked there
 * is none, whatever the others say.
 */
export function stateOf({ conforme, 'non conforme': not, 'à vérifier': open }: typeof counts): string {
  if (open > 0) return 'non conforme'
  if (not === 0) return 'totalement conforme'
  return conforme >= not ? 'partiellement conforme' : 'non conforme'
}
