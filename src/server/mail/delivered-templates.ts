type Template = { code: string; type: 'object' | 'body' | 'details' | 'signing'; content: string }

const signing = 'L’équipe de {{ work_council }}'

const template = (code: string, object: string, body: string, details = ''): Template[] => [
  { code, type: 'object', content: object },
  { code, type: 'body', content: body },
  { code, type: 'details', content: details },
  { code, type: 'signing', content: signing },
]

const loanList = `<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }}</li>{% endfor %}</ul>`

/** Of what is lent, with the conditions that its medium has. */
const lentList = `<ul>{% for loan in loans %}<li>{{ loan.reference_name }}, à rendre le {{ loan.end_date }}{% if loan.conditions.link %}<br>Conditions de prêt : <a href="{{ loan.conditions.link }}">{{ loan.conditions.label }}</a>{% elsif loan.conditions %}<br>Conditions de prêt : {{ loan.conditions.label }}{% endif %}</li>{% endfor %}</ul>`

/** A new environment's templates in liquid and HTML; a mail is object, body, details and signing. */
export const deliveredMailTemplates: Template[] = [
  ...template(
    'loaning_creation',
    'Votre emprunt à {{ work_council }}',
    'Bonjour {{ beneficiary.firstname }} {{ beneficiary.lastname }},<br>voici ce que vous venez d’emprunter :',
    lentList,
  ),
  ...template(
    'loaning_reminder',
    'Des retours sont attendus à {{ work_council }}',
    'Bonjour {{ beneficiary.firstname }} {{ beneficiary.lastname }},<br>ces articles devaient déjà être rendus :',
    loanList,
  ),
  ...template(
    'loaning_recap',
    'Vos emprunts en cours à {{ work_council }}',
    'Bonjour {{ beneficiary.firstname }} {{ beneficiary.lastname }},<br>voici vos emprunts en cours :',
    loanList,
  ),
  ...template(
    'password_reset',
    'Votre mot de passe',
    'Bonjour {{ user.username }},<br>choisissez un nouveau mot de passe par ce lien, dans l’heure : <a href="{{ link }}">{{ link }}</a>. Si vous n’avez rien demandé, ne faites rien.',
  ),
  ...template(
    'login_link',
    'Votre lien de connexion',
    'Bonjour {{ user.username }},<br>connectez-vous par ce lien, dans le quart d’heure : <a href="{{ link }}">{{ link }}</a>.',
  ),
  ...template(
    'account_invitation',
    'Votre accès à {{ work_council }}',
    'Bonjour {{ user.name }},<br>un accès vous attend sous le nom «\u00a0{{ user.username }}\u00a0». Connectez-vous par ce lien, dans le quart d’heure : <a href="{{ link }}">{{ link }}</a>. Choisissez ensuite votre mot de passe par « Mot de passe oublié » : <a href="{{ reset }}">{{ reset }}</a>. Cette seconde adresse sert aussi si le premier lien a expiré.',
  ),
]
