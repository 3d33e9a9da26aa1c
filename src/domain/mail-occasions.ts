/** When a mail is written, in the order in which a loan meets them (« reminder » is by hand). */
export const mailPeriods = [
  'creation',
  'before_due',
  'due',
  'late_1',
  'late_2',
  'late_3',
  'reminder',
  'recap',
  'reservation',
  'closing',
  'account',
] as const
export type MailPeriod = (typeof mailPeriods)[number]

export const mailPeriodWords: Record<MailPeriod, string> = {
  creation: 'À l’emprunt',
  before_due: 'Avant l’échéance',
  due: 'Le jour de l’échéance',
  late_1: 'Premier rappel',
  late_2: 'Deuxième rappel',
  late_3: 'Troisième rappel',
  reminder: 'Relances à la main',
  recap: 'Récapitulatif',
  reservation: 'Réservations',
  closing: 'Fermetures',
  account: 'Comptes',
}

/** What a mail speaks of, and so which variables it knows. */
export type MailSubject = 'loans' | 'reservation' | 'closing' | 'link' | 'invitation' | 'account'

type Occasion = {
  period: MailPeriod
  name: string
  /** When it leaves, in one sentence. */
  when: string
  about: MailSubject
  isOn: boolean
  /** How many days it waits, and from when; only the levels that the daily look goes through have some. */
  days?: { delivered: number; from: number; words: string }
}

/** Every mail that the library writes, by the code of its template; those that go by time are off until asked for. */
const mailOccasions = {
  loaning_creation: {
    period: 'creation',
    name: 'Ce qui vient d’être emprunté',
    when: 'Quand un prêt est enregistré et que l’on demande d’en écrire.',
    about: 'loans',
    isOn: true,
  },
  before_due: {
    period: 'before_due',
    name: 'Bientôt à rendre',
    when: 'Chaque jour, à qui a des prêts dont l’échéance approche.',
    about: 'loans',
    isOn: false,
    days: { delivered: 3, from: 1, words: 'Jours avant l’échéance' },
  },
  due: {
    period: 'due',
    name: 'À rendre aujourd’hui',
    when: 'Le jour de l’échéance, à qui n’a pas encore rendu.',
    about: 'loans',
    isOn: false,
  },
  late_1: {
    period: 'late_1',
    name: 'Premier rappel',
    when: 'Chaque jour, à qui est en retard depuis assez longtemps.',
    about: 'loans',
    isOn: false,
    days: { delivered: 3, from: 1, words: 'Jours après l’échéance' },
  },
  late_2: {
    period: 'late_2',
    name: 'Deuxième rappel',
    when: 'Chaque jour, à qui n’a pas rendu après le premier rappel.',
    about: 'loans',
    isOn: false,
    days: { delivered: 7, from: 1, words: 'Jours après le rappel précédent' },
  },
  late_3: {
    period: 'late_3',
    name: 'Troisième rappel',
    when: 'Chaque jour, à qui n’a pas rendu après le deuxième rappel.',
    about: 'loans',
    isOn: false,
    days: { delivered: 14, from: 1, words: 'Jours après le rappel précédent' },
  },
  loaning_reminder: {
    period: 'reminder',
    name: 'Relance',
    when: 'Quand quelqu’un relance un lecteur, ou tous ceux qui sont en retard.',
    about: 'loans',
    isOn: true,
  },
  loaning_recap: {
    period: 'recap',
    name: 'Récapitulatif des prêts',
    when: 'Quand quelqu’un l’envoie à tous ceux qui ont des prêts en cours.',
    about: 'loans',
    isOn: true,
  },
  reservation_confirmed: {
    period: 'reservation',
    name: 'Réservation confirmée',
    when: 'Quand l’exemplaire attend le lecteur.',
    about: 'reservation',
    isOn: true,
  },
  reservation_waiting: {
    period: 'reservation',
    name: 'Réservation en attente',
    when: 'Quand la réservation prend ou reprend sa place dans la file.',
    about: 'reservation',
    isOn: true,
  },
  reservation_canceled: {
    period: 'reservation',
    name: 'Réservation annulée',
    when: 'Quand la réservation est annulée.',
    about: 'reservation',
    isOn: true,
  },
  reservation_refused: {
    period: 'reservation',
    name: 'Réservation refusée',
    when: 'Quand la réservation est refusée, avec le motif qui en est donné.',
    about: 'reservation',
    isOn: true,
  },
  closing_notice: {
    period: 'closing',
    name: 'Fermeture',
    when: 'Quand une fermeture déplace des retours et que l’on demande d’en écrire.',
    about: 'closing',
    isOn: true,
  },
  password_reset: {
    period: 'account',
    name: 'Mot de passe oublié',
    when: 'Quand une personne demande un nouveau mot de passe.',
    about: 'link',
    isOn: true,
  },
  login_link: {
    period: 'account',
    name: 'Lien de connexion',
    when: 'Quand une personne reçoit un lien pour se connecter sans mot de passe.',
    about: 'link',
    isOn: true,
  },
  account_invitation: {
    period: 'account',
    name: 'Invitation',
    when: 'Quand un compte est ouvert sans mot de passe.',
    about: 'invitation',
    isOn: true,
  },
  account_changed: {
    period: 'account',
    name: 'Compte modifié',
    when: 'Quand l’adresse, le mot de passe ou le deuxième facteur d’une personne change\u202f; pour l’adresse, à l’ancienne.',
    about: 'account',
    isOn: true,
  },
} as const satisfies Record<string, Occasion>

export type MailCode = keyof typeof mailOccasions
export const mailCodes = Object.keys(mailOccasions) as MailCode[]
export const occasionOf = (code: MailCode): Occasion => mailOccasions[code]
export const isMailCode = (code: string): code is MailCode => Object.hasOwn(mailOccasions, code)

/** After the due day, in their order: a loan goes through those that are on, one after the other. */
export const lateLevels = ['late_1', 'late_2', 'late_3'] as const
/** What the daily look writes. */
export const dailyLevels = ['before_due', 'due', ...lateLevels] as const
export type DailyLevel = (typeof dailyLevels)[number]
/** What a return stops before it leaves, the mails by hand among them. */
const reminderCodes = [...dailyLevels, 'loaning_reminder'] as const
export type ReminderCode = (typeof reminderCodes)[number]
export const isReminderCode = (code: string): code is ReminderCode =>
  (reminderCodes as readonly string[]).includes(code)
/** Where nobody can be written to by mail, these go by letter. */
export const isLateCode = (code: string): boolean =>
  code === 'loaning_reminder' || (lateLevels as readonly string[]).includes(code)

/** An object is one line of text, the others are HTML. */
export const mailParts = ['object', 'body', 'details', 'signing'] as const
export type MailPart = (typeof mailParts)[number]
export const mailPartWords: Record<MailPart, string> = {
  object: 'Objet',
  body: 'Corps',
  details: 'Détails',
  signing: 'Signature',
}
