type Facts = {
  library: string
  retention_months: number
  retention_inactive_months: number
  journal_months: number
  seen_by: readonly SeenBy[]
}
type SeenBy = {
  profile: string
  people: number
  readers: boolean
  contact: boolean
  address: boolean
  history: boolean
}

export type PrivacyText = { title: string; parts: readonly { title: string; lines: readonly string[] }[] }

/** The register of processing (article 30), as far as the software knows it; brackets are for the library to fill. */
export const registerOf = (facts: Facts): PrivacyText => ({
  title: 'Registre des traitements\u202f: prêt de documents',
  parts: [
    {
      title: 'Responsable',
      lines: [
        `${facts.library}, [adresse, représentant].`,
        'Délégué à la protection des données\u202f: [nom, courriel].',
      ],
    },
    {
      title: 'À quoi cela sert',
      lines: [
        'Inscrire les lecteurs, prêter, réserver, rappeler ce qui est à rendre, vendre des documents retirés, compter l’activité.',
        'Base légale\u202f: [mission d’intérêt public, ou intérêt légitime de l’organisation].',
      ],
    },
    {
      title: 'Qui est concerné',
      lines: [
        'Les lecteurs inscrits, et les proches qui empruntent à leur nom.',
        'Les utilisateurs du logiciel.',
      ],
    },
    {
      title: 'Ce qui est gardé',
      lines: [
        'De chaque lecteur\u202f: nom, prénom, matricule, numéro de lecteur, contrat, statut, dossiers, site, date de sortie\u202f; s’ils sont donnés, année de naissance, courriel, téléphone, adresse, commune, message au comptoir.',
        'Prêts, retours, réservations, ventes, courriels et lettres envoyés.',
        'Des utilisateurs\u202f: nom, courriel, connexions, et le journal de ce qu’ils font.',
      ],
    },
    { title: 'Combien de temps', lines: durations(facts) },
    { title: 'Qui le voit', lines: seen(facts.seen_by) },
    {
      title: 'Hors de la bibliothèque',
      lines: [
        'Destinataires\u202f: [l’hébergeur, le service qui envoie les courriels].',
        'Rien n’est transmis hors de l’Union européenne\u202f: [à vérifier avec l’hébergeur].',
      ],
    },
    {
      title: 'Comment c’est protégé',
      lines: [
        'Comptes nominatifs, droits par profil, deuxième facteur possible, appareils reconnus, journal des actions et des lectures de l’historique d’un lecteur.',
        'Les appareils du comptoir gardent hors ligne ce qu’il faut pour prêter, sans courriel, adresse ni historique, et l’effacent à la déconnexion.',
        'Sauvegardes\u202f: [où, combien de temps, chiffrées ou non].',
      ],
    },
  ],
})

/** What readers are told (articles 13 and 14), to be put up or handed over. */
export const noticeOf = (facts: Facts): PrivacyText => ({
  title: 'Vos données à la bibliothèque',
  parts: [
    {
      title: 'Pourquoi nous les gardons',
      lines: [
        `${facts.library} garde ce qu’il faut pour vous inscrire, vous prêter des documents, vous les réserver et vous rappeler de les rendre.`,
        'Base légale\u202f: [mission d’intérêt public, ou intérêt légitime de l’organisation].',
      ],
    },
    {
      title: 'Ce que nous gardons',
      lines: [
        'Votre nom, votre numéro, votre contrat et votre site\u202f; ce que vous nous avez donné pour vous joindre\u202f; vos prêts et vos réservations.',
      ],
    },
    { title: 'Combien de temps', lines: durations(facts).slice(0, -1) },
    {
      title: 'Qui les voit',
      lines: [
        'Les personnes qui travaillent à la bibliothèque, selon leurs droits. Qui consulte vos prêts passés est noté.',
        'Elles ne sont ni vendues ni données à d’autres.',
      ],
    },
    {
      title: 'Vos droits',
      lines: [
        'Demandez au comptoir une copie de vos données, leur correction ou leur effacement. L’effacement attend que vous ayez tout rendu.',
        'Délégué à la protection des données\u202f: [nom, courriel]. Vous pouvez aussi vous adresser à la CNIL (www.cnil.fr).',
      ],
    },
  ],
})

const durations = ({ retention_months, retention_inactive_months, journal_months }: Facts): string[] => [
  `Le lien entre un prêt et son lecteur\u202f: ${retention_months} mois après le retour. Le prêt reste ensuite sans nom, pour les chiffres.`,
  retention_inactive_months === 0
    ? 'Les lecteurs inscrits\u202f: jusqu’à leur demande.'
    : `Les lecteurs\u202f: leur effacement est examiné après ${retention_inactive_months} mois sans prêt, prolongation ni retour.`,
  'Les ventes\u202f: jour, document et montant, aussi longtemps que les comptes le demandent.',
  journal_months === 0
    ? 'Le journal des actions\u202f: sans limite.'
    : `Le journal des actions\u202f: ${journal_months} mois.`,
]

/** Profiles that see nothing of readers are left out. */
const seen = (profiles: readonly SeenBy[]): string[] =>
  profiles
    .filter(({ readers, people }) => readers && people > 0)
    .map(({ profile, people, contact, address, history }) => {
      const also = [
        ...(contact ? ['courriel et téléphone'] : []),
        ...(address ? ['adresse'] : []),
        ...(history ? ['prêts passés'] : []),
      ]
      const what = also.length === 0 ? 'le nom et les prêts en cours' : `aussi ${also.join(', ')}`
      return `${profile} (${peopleWords(people)})\u202f: ${what}.`
    })

/** As it is copied. */
export const plainText = ({ title, parts }: PrivacyText): string =>
  [title, ...parts.map((part) => [part.title, ...part.lines.map((line) => `- ${line}`)].join('\n'))].join(
    '\n\n',
  )

const peopleWords = (people: number) => (people === 1 ? '1\u00a0personne' : `${people}\u00a0personnes`)
