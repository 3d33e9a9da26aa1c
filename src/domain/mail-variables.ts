import type { MailSubject } from './mail-occasions.ts'

/** What an editor shows in place of a variable, whose code nobody types. */
type MailVariable = { words: string; code: string }

const loanList =
  '<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }}</li>{% endfor %}</ul>'

export const closureList =
  '{% for closure in closures %}{{ closure.label }} : {{ work_council }} est fermé{% if closure.first_day == closure.last_day %} le {{ closure.first_day }}{% else %} du {{ closure.first_day }} au {{ closure.last_day }}{% endif %}.<br>{% endfor %}'

/** Nothing, its heading neither, where no loan of the reader moved. */
export const movedList =
  '{% if count > 0 %}<p>Vos retours sont reportés :</p><ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }} au lieu du {{ loan.old_date }}</li>{% endfor %}</ul>{% endif %}'

export const keptList =
  '{% if kept_count > 0 %}<p>Ce qui est mis de côté pour vous vous attend plus longtemps :</p><ul>{% for one in kept %}<li>{{ one.reference_name }}, à retirer jusqu’au {{ one.until }} au lieu du {{ one.old_date }}</li>{% endfor %}</ul>{% endif %}'

const library: MailVariable[] = [{ words: 'bibliothèque', code: '{{ work_council }}' }]

const reader: MailVariable[] = [
  { words: 'prénom du lecteur', code: '{{ beneficiary.firstname }}' },
  { words: 'nom du lecteur', code: '{{ beneficiary.lastname }}' },
  { words: 'numéro du lecteur', code: '{{ beneficiary.matricule }}' },
]

const today: MailVariable[] = [{ words: 'date du jour', code: '{{ today }}' }]

/** Variables of each kind of mail, in the order in which an editor offers them. */
export const mailVariables: Record<MailSubject, readonly MailVariable[]> = {
  loans: [
    ...reader,
    ...library,
    { words: 'liste des prêts', code: loanList },
    { words: 'nombre de prêts', code: '{{ count }}' },
    ...today,
  ],
  reservation: [
    ...reader,
    ...library,
    { words: 'titre réservé', code: '{{ reservation.reference_name }}' },
    { words: 'place dans la file', code: '{{ reservation.queue_position }}' },
    { words: 'premier jour', code: '{{ reservation.start_date }}' },
    { words: 'dernier jour', code: '{{ reservation.end_date }}' },
    { words: 'site de retrait', code: '{{ reservation.site }}' },
    { words: 'montant estimé', code: '{{ reservation.amount }}' },
    { words: 'motif', code: '{{ comment }}' },
    ...today,
  ],
  closing: [
    ...reader,
    ...library,
    { words: 'jours de fermeture', code: closureList },
    { words: 'prêts déplacés', code: movedList },
    { words: 'réservations mises de côté', code: keptList },
    { words: 'nombre de prêts', code: '{{ count }}' },
    ...today,
  ],
  link: [
    { words: 'identifiant', code: '{{ user.username }}' },
    { words: 'lien', code: '<a href="{{ link }}">{{ link }}</a>' },
    ...library,
  ],
  invitation: [
    { words: 'nom de la personne', code: '{{ user.name }}' },
    { words: 'identifiant', code: '{{ user.username }}' },
    { words: 'lien de connexion', code: '<a href="{{ link }}">{{ link }}</a>' },
    { words: 'page du mot de passe', code: '<a href="{{ reset }}">{{ reset }}</a>' },
    ...library,
  ],
  account: [
    { words: 'nom de la personne', code: '{{ user.name }}' },
    { words: 'identifiant', code: '{{ user.username }}' },
    { words: 'ce qui a changé', code: '{{ change }}' },
    ...library,
  ],
}

const loanWords = new Map([
  ['reference_name', 'titre'],
  ['copy_barcode', 'code de l’exemplaire'],
  ['medium', 'support'],
  ['category', 'catégorie'],
  ['relative', 'proche'],
  ['start_date', 'prêté le'],
  ['end_date', 'à rendre le'],
  ['days_late', 'jours de retard'],
])

/** What a piece of a template is called on its chip; a loop is the list that it writes. */
export function wordsOfPiece(code: string, about: MailSubject): string {
  const known = mailVariables[about].find((one) => one.code === code)
  if (known) return known.words
  if (/\{%-?\s*for\s+\w+\s+in\s+loans/.test(code)) return 'liste des prêts'
  const variable = /^\{\{-?\s*([\w.]+)/.exec(code)?.[1]
  if (variable === undefined) return /^\{%-?\s*if\b/.test(code) ? wordsOfCondition(code) : 'formule'
  const plain = mailVariables[about].find((one) => one.code === `{{ ${variable} }}`)
  return plain?.words ?? loanWords.get(variable.replace(/^loan\./, '')) ?? variable
}

const wordsOfCondition = (code: string): string => {
  const said = code
    .replaceAll(/\{[{%].*?[%}]\}|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return said === '' ? 'si besoin' : `si besoin\u202f: ${said.slice(0, 40)}`
}
