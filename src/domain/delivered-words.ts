/** A word of the screens: what is read as delivered, its gender, and what it is for. */
type DeliveredWord = { word: string; gender: 'm' | 'f'; about: string }

const pair = <One extends string, Many extends string>(
  one: One,
  many: Many,
  [word, words]: readonly [string, string],
  gender: 'm' | 'f',
  about: string,
) =>
  ({
    [one]: { word, gender, about },
    [many]: {
      word: words,
      gender,
      about: `Le pluriel ${/^[aeéiou]/.test(word) ? 'd’' : 'de '}«\u00a0${word}\u00a0».`,
    },
  }) as Record<One | Many, DeliveredWord>

/** The words of the screens that a library may replace by its own, each alone and several. */
export const deliveredWords = {
  ...pair('beneficiary', 'beneficiaries', ['lecteur', 'lecteurs'], 'm', 'Qui emprunte.'),
  ...pair('relative', 'relatives', ['proche', 'proches'], 'm', 'Qui emprunte au nom d’un autre.'),
  ...pair('reference', 'references', ['référence', 'références'], 'f', 'Ce que le catalogue décrit.'),
  ...pair('copy', 'copies', ['exemplaire', 'exemplaires'], 'm', 'Ce qui porte un code-barres et se prête.'),
  ...pair('loaning', 'loanings', ['prêt', 'prêts'], 'm', 'Ce qui est sorti, et pour combien de temps.'),
  ...pair('return', 'returns', ['retour', 'retours'], 'm', 'Ce qui met fin à un prêt.'),
  ...pair('reservation', 'reservations', ['réservation', 'réservations'], 'f', 'Ce qui est attendu.'),
  ...pair('sale', 'sales', ['vente', 'ventes'], 'f', 'Ce qui est cédé et ne revient pas.'),
  ...pair('transfer', 'transfers', ['transfert', 'transferts'], 'm', 'Ce qui va d’un site à l’autre.'),
  ...pair('inventory', 'inventories', ['inventaire', 'inventaires'], 'm', 'Ce qui compte les rayons.'),
  ...pair('medium', 'media', ['support', 'supports'], 'm', 'Livre, jeu, disque\u202f: il décide des durées.'),
  ...pair('category', 'categories', ['catégorie', 'catégories'], 'f', 'Le classement des références.'),
  ...pair('keyword', 'keywords', ['mot-clé', 'mots-clés'], 'm', 'Ce par quoi une référence se cherche.'),
  ...pair('location', 'locations', ['emplacement', 'emplacements'], 'm', 'Le rayon d’un exemplaire.'),
  ...pair('bar_code', 'bar_codes', ['code-barres', 'codes-barres'], 'm', 'Ce que le comptoir scanne.'),
  ...pair('site', 'sites', ['site', 'sites'], 'm', 'Un lieu de la bibliothèque.'),
  ...pair('contract', 'contracts', ['contrat', 'contrats'], 'm', 'Ce qui lie un lecteur à l’organisation.'),
  ...pair('status', 'statuses', ['statut', 'statuts'], 'm', 'La situation d’un lecteur.'),
  ...pair('folder', 'folders', ['dossier', 'dossiers'], 'm', 'Ce qu’un lecteur fournit pour emprunter.'),
  ...pair('matricule', 'matricules', ['matricule', 'matricules'], 'm', 'Le numéro d’un lecteur.'),
  ...pair('penalty', 'penalties', ['pénalité', 'pénalités'], 'f', 'Ce que coûte un retard.'),
  ...pair('user', 'users', ['utilisateur', 'utilisateurs'], 'm', 'Qui se sert du logiciel.'),
} as const satisfies Record<string, DeliveredWord>

export type WordCode = keyof typeof deliveredWords
export const wordCodes = Object.keys(deliveredWords) as WordCode[]

/** Of a code of another version there is none. */
export const deliveredWord = (code: string): DeliveredWord | undefined =>
  (deliveredWords as Record<string, DeliveredWord>)[code]

/** The word for several of a word for one; none of a plural. */
export function pluralOf(code: string): string | undefined {
  const at = wordCodes.findIndex((one) => one === code)
  const next = at % 2 === 0 ? wordCodes[at + 1] : undefined
  return next && deliveredWords[next].word
}
