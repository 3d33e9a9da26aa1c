import { closureList, keptList, movedList } from '../../domain/mail-variables.ts'
import { type MailCode, type MailPart, occasionOf } from '../../domain/mail-occasions.ts'

type Template = { code: MailCode; type: MailPart; content: string; enabled: boolean; days: number | null }

const signing = 'L’équipe de {{ work_council }}'

const template = (code: MailCode, object: string, body: string, details = ''): Template[] => {
  const { isOn, days } = occasionOf(code)
  const part = (type: MailPart, content: string) => ({
    code,
    type,
    content,
    enabled: isOn,
    days: type === 'object' ? (days?.delivered ?? null) : null,
  })
  return [part('object', object), part('body', body), part('details', details), part('signing', signing)]
}

const hello = 'Bonjour {{ beneficiary.firstname }} {{ beneficiary.lastname }},<br>'

const loanList = `<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }}</li>{% endfor %}</ul>`

const lateList = `<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }} ({{ loan.days_late }} {% if loan.days_late > 1 %}jours{% else %}jour{% endif %} de retard)</li>{% endfor %}</ul>`

/** Of what is lent, with the conditions that its medium has. */
const lentList = `<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }}{% if loan.conditions.link %}<br>Conditions de prêt : <a href="{{ loan.conditions.link }}">{{ loan.conditions.label }}</a>{% elsif loan.conditions %}<br>Conditions de prêt : {{ loan.conditions.label }}{% endif %}</li>{% endfor %}</ul>`

const reservedDays = `{% if reservation.start_date %}<p>Du {{ reservation.start_date }} au {{ reservation.end_date }}.</p>{% endif %}`
const amount = `{% if reservation.amount %}<p>Montant estimé : {{ reservation.amount }}.</p>{% endif %}`

/** A new environment's templates in liquid and HTML; a mail is object, body, details and signing. */
export const deliveredMailTemplates: Template[] = [
  ...template(
    'loaning_creation',
    'Votre emprunt à {{ work_council }}',
    `${hello}voici ce que vous venez d’emprunter :`,
    lentList,
  ),
  ...template(
    'before_due',
    'Bientôt à rendre à {{ work_council }}',
    `${hello}ces articles sont bientôt à rendre :`,
    loanList,
  ),
  ...template(
    'due',
    'À rendre aujourd’hui à {{ work_council }}',
    `${hello}ces articles sont à rendre aujourd’hui :`,
    loanList,
  ),
  ...template(
    'late_1',
    'Un retour est attendu à {{ work_council }}',
    `${hello}ces articles devaient déjà être rendus. Peut-être les avez-vous oubliés :`,
    lateList,
  ),
  ...template(
    'late_2',
    'Deuxième rappel : des retours sont attendus à {{ work_council }}',
    `${hello}malgré un premier rappel, ces articles ne sont pas rendus. D’autres lecteurs les attendent peut-être :`,
    lateList,
  ),
  ...template(
    'late_3',
    'Dernier rappel : des retours sont attendus à {{ work_council }}',
    `${hello}ces articles ne sont toujours pas rendus. Rapportez-les sans attendre, ou venez nous en parler :`,
    lateList,
  ),
  ...template(
    'loaning_reminder',
    'Des retours sont attendus à {{ work_council }}',
    `${hello}ces articles devaient déjà être rendus :`,
    loanList,
  ),
  ...template(
    'loaning_recap',
    'Vos emprunts en cours à {{ work_council }}',
    `${hello}voici vos emprunts en cours :`,
    loanList,
  ),
  ...template(
    'closing_notice',
    'Fermeture de {{ work_council }}',
    `${hello}${closureList}`,
    `${movedList}${keptList}`,
  ),
  ...template(
    'reservation_confirmed',
    'Votre réservation est prête à {{ work_council }}',
    `${hello}«\u00a0{{ reservation.reference_name }}\u00a0» vous attend{% if reservation.site %} à {{ reservation.site }}{% endif %}.`,
    `${reservedDays}${amount}`,
  ),
  ...template(
    'reservation_waiting',
    'Votre réservation est enregistrée à {{ work_council }}',
    `${hello}vous avez réservé «\u00a0{{ reservation.reference_name }}\u00a0».`,
    `{% if reservation.queue_position %}<p>Votre place dans la file : {{ reservation.queue_position }}.</p>{% endif %}${reservedDays}${amount}`,
  ),
  ...template(
    'reservation_canceled',
    'Votre réservation est annulée à {{ work_council }}',
    `${hello}votre réservation de «\u00a0{{ reservation.reference_name }}\u00a0» est annulée.`,
    `{% if comment %}<p>{{ comment }}</p>{% endif %}`,
  ),
  ...template(
    'reservation_refused',
    'Votre réservation n’a pas pu être acceptée à {{ work_council }}',
    `${hello}votre réservation de «\u00a0{{ reservation.reference_name }}\u00a0» n’a pas pu être acceptée.`,
    `{% if comment %}<p>Motif : {{ comment }}</p>{% endif %}`,
  ),
  ...template(
    'password_reset',
    'Votre mot de passe',
    'Bonjour {{ user.username }},<br>choisissez un nouveau mot de passe par ce lien, dans l’heure : <a href="{{ link }}">{{ link }}</a>. Si vous n’avez rien demandé, ne faites rien.',
  ),
  ...template(
    'login_link',
    'Votre lien de connexion',
    'Bonjour {{ user.username }},<br>connectez-vous par ce lien, dans le quart d’heure : <a href="{{ link }}">{{ link }}</a>.',
  ),
  ...template(
    'account_invitation',
    'Votre accès à {{ work_council }}',
    'Bonjour {{ user.name }},<br>un accès vous attend sous le nom «\u00a0{{ user.username }}\u00a0». Choisissez votre mot de passe par ce lien, valable sept jours et une seule fois : <a href="{{ link }}">{{ link }}</a>. S’il a expiré, passez par « Mot de passe oublié » : <a href="{{ reset }}">{{ reset }}</a>.',
  ),
  ...template(
    'account_changed',
    'Votre compte a changé',
    'Bonjour {{ user.name }},<br>{{ change }} Il s’agit du compte «\u00a0{{ user.username }}\u00a0». Si ce n’est pas vous, prévenez tout de suite la personne qui gère les comptes.',
  ),
]
