import { frenchNumber } from './french-number.ts'

// The command, the call and the screen tell these checks alike; those here judge the server as it is reached from outside.

const labels = {
  node: 'Node',
  memory: 'Mémoire',
  disk: 'Disque',
  folders: 'Dossiers',
  server: 'Serveur',
  database: 'Base de données',
  clock: 'Horloge de la base',
  browser_clock: 'Horloge de cet appareil',
  public_url: 'Adresse publique',
  proxy: 'Serveur mandataire',
  mail: 'Courrier',
  backup: 'Sauvegarde',
  pages: 'Pages ouvertes',
}
type CheckId = keyof typeof labels
/** In the order in which they are told. */
export const checkIds = Object.keys(labels) as CheckId[]

/** `look`: it works, and somebody should look at it. */
export const checkStates = ['fine', 'look', 'wrong', 'unknown'] as const
export type CheckState = (typeof checkStates)[number]

export const stateWords: Record<CheckState, string> = {
  fine: 'Bon',
  look: 'À regarder',
  wrong: 'À corriger',
  unknown: 'Inconnu',
}

/** `fact` and `advice` go to support: they name no person and hold no secret. */
export type Check = { id: CheckId; label: string; state: CheckState; fact: string; advice: string | null }

const as =
  (state: CheckState) =>
  (id: CheckId, fact: string, advice: string | null = null): Check => ({
    id,
    label: labels[id],
    state,
    fact,
    advice,
  })
export const [fine, look, wrong, unknown] = [as('fine'), as('look'), as('wrong'), as('unknown')]

export const inOrder = (checks: readonly Check[]): Check[] =>
  checkIds.flatMap((id) => checks.filter((one) => one.id === id))

/** What /health answers: `silent` where nobody does, `unwell` where it is neither of the others. */
export type HealthAnswer = 'ok' | 'no-library' | 'unwell' | 'silent'

export function serverCheck({ address, health }: { address: string; health: HealthAnswer }): Check {
  if (health === 'silent')
    return look(
      'server',
      `Rien ne répond à ${address}.`,
      'Démarrez Comptoir\u202f; s’il tourne, donnez à cette commande les variables (PORT, HOST, DATA_DIR) qu’il a.',
    )
  if (health === 'unwell')
    return wrong(
      'server',
      `${address} répond, mais pas que tout va bien.`,
      'Lisez le journal du serveur, et voyez si un autre programme n’a pas pris ce port.',
    )
  return fine('server', `En marche à ${address}.`)
}

export type DatabaseFacts = {
  kind: 'embedded' | 'postgres'
  /** As `server_version_num` tells it; null where it was not asked. */
  version: number | null
  trouble: string | null
  /** Whether it knows that « É » is a capital « é »; absent where it was not asked. */
  knowsCapitals?: boolean
}

const leastPostgres = 15

/** What a database is that knows no letters but A to Z, and what to do about it. */
export const onlyPlainLetters = {
  fact: 'Cette base (LC_CTYPE «\u202fC\u202f») ne sait pas que «\u202fÉ\u202f» est la majuscule de «\u202fé\u202f»\u202f: deux codes-barres ou deux cartes qui ne diffèrent que par là y sont tenus pour différents.',
  advice:
    "Sauvegardez (npm run backup), créez une autre base («\u202fcreate database … template template0 encoding 'UTF8' lc_ctype 'C.UTF-8'\u202f»), menez-y DATABASE_URL et reprenez la sauvegarde (npm run restore).",
}

export function databaseCheck({ kind, version, trouble, knowsCapitals = true }: DatabaseFacts): Check {
  const name = kind === 'embedded' ? 'Base embarquée' : 'PostgreSQL'
  if (trouble !== null)
    return wrong(
      'database',
      `${name}\u202f: ${trouble}`,
      kind === 'embedded'
        ? 'Lisez le journal du serveur\u202f; si la base est abîmée, reprenez la dernière sauvegarde (npm run restore).'
        : 'Voyez si PostgreSQL tourne, si cette machine le joint, et si DATABASE_URL est juste.',
    )
  if (version === null) return fine('database', `${name}, tenue par le serveur en marche, qui y répond.`)
  const major = Math.floor(version / 10_000)
  if (major < leastPostgres)
    return wrong('database', `${name} ${major}.`, `Passez à PostgreSQL ${leastPostgres} ou plus récent.`)
  return knowsCapitals
    ? fine('database', kind === 'embedded' ? `${name} (PostgreSQL ${major}).` : `${name} ${major}.`)
    : look('database', `${name} ${major}. ${onlyPlainLetters.fact}`, onlyPlainLetters.advice)
}

export const noDatabaseYet: Check = unknown(
  'database',
  'Pas encore de base\u202f: elle vient au premier démarrage.',
)

export const databaseHeld: Check = look(
  'database',
  'Base embarquée, tenue par un autre processus\u202f: elle n’est pas regardée.',
  'Si un serveur tourne, donnez à cette commande les mêmes variables qu’à lui, PORT compris.',
)

export const databaseOfAnotherAccount: Check = look(
  'database',
  'Base embarquée d’un autre compte\u202f: l’ouvrir sous celui-ci la lui fermerait, elle n’est pas regardée.',
  'Lancez cette commande sous le compte du serveur.',
)

const minute = 60_000

/** How far a clock is ahead of the server's, in milliseconds. */
export function clockCheck(id: 'clock' | 'browser_clock', ahead: number): Check {
  const minutes = Math.round(Math.abs(ahead) / minute)
  if (minutes < 1) return fine(id, 'À l’heure du serveur.')
  const gap = minutes < 120 ? `${minutes}\u202fmin` : `${frenchNumber(Math.round(minutes / 60))}\u202fh`
  return (minutes < 60 ? look : wrong)(
    id,
    `${gap} ${ahead > 0 ? 'd’avance' : 'de retard'} sur le serveur.`,
    id === 'clock'
      ? 'Mettez à l’heure la machine de la base et celle du serveur (NTP).'
      : 'Mettez cet appareil à l’heure, ou le serveur si d’autres appareils disent de même.',
  )
}

/** What a request tells of its way: the host that it asked, and what a proxy added. */
export type Way = {
  host: string
  forwardedHost: string | null
  forwardedProto: string | null
  forwardedFor: boolean
}

const isHere = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
const nameIn = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/** `cameBy`: the host of the page that asks; `health`: what the public address answers to this machine. */
type PublicUrlFacts = { publicUrl: string; cameBy: string | null; health: HealthAnswer | null }

export function publicUrlCheck({ publicUrl, cameBy, health }: PublicUrlFacts): Check {
  const { hostname, protocol } = new URL(publicUrl)
  const set = 'Donnez à PUBLIC_URL l’adresse par laquelle on vient, telle qu’elle s’écrit dans le navigateur.'
  if (isHere(hostname) && !(cameBy !== null && isHere(nameIn(cameBy))))
    return (cameBy === null ? look : wrong)(
      'public_url',
      `${publicUrl}\u202f: les liens des courriels ne mènent qu’à cette machine.`,
      set,
    )
  if (cameBy !== null && nameIn(cameBy) !== hostname)
    return look('public_url', `${publicUrl}, et cette page est venue par ${nameIn(cameBy)}.`, set)
  if (health === 'no-library')
    return look(
      'public_url',
      `${publicUrl} n’est l’adresse d’aucune bibliothèque.`,
      'Donnez cette adresse à une bibliothèque (npm run environment -- hosts).',
    )
  if (health === 'unwell' || health === 'silent')
    return look(
      'public_url',
      `${publicUrl} ne répond pas à cette machine comme Comptoir le ferait.`,
      'Essayez cette adresse d’un autre poste\u202f; si elle n’y répond pas non plus, voyez le serveur mandataire et le nom de domaine.',
    )
  return protocol === 'http:' && !isHere(hostname)
    ? look(
        'public_url',
        `${publicUrl}, sans HTTPS.`,
        'Sans HTTPS, ni caméra ni application installée\u202f: mettez un serveur mandataire devant (docs/install, «\u00a0HTTPS\u00a0»).',
      )
    : fine('public_url', publicUrl)
}

/** Whether what stands before the server tells it who asks, and is believed. */
export function proxyCheck(facts: { way: Way; isProxyTrusted: boolean; publicUrl: string }): Check {
  const { way, isProxyTrusted, publicUrl } = facts
  const { forwardedHost, forwardedProto, forwardedFor } = way
  const came = [
    forwardedFor ? 'X-Forwarded-For' : null,
    forwardedHost === null ? null : `X-Forwarded-Host (${forwardedHost})`,
    forwardedProto === null ? null : `X-Forwarded-Proto (${forwardedProto})`,
  ].filter((one) => one !== null)
  const isSecure = publicUrl.startsWith('https:')
  if (!isProxyTrusted) {
    if (came.length > 0)
      return wrong(
        'proxy',
        `Cette page est passée par un serveur mandataire que Comptoir ne croit pas\u202f: ${came.join(', ')}.`,
        'Lancez Comptoir avec TRUST_PROXY=1\u202f: tout le monde a sinon l’adresse du mandataire.',
      )
    return isSecure
      ? look(
          'proxy',
          'PUBLIC_URL est en HTTPS, et cette page est venue sans serveur mandataire.',
          'Venez par PUBLIC_URL\u202f; si vous l’avez fait, voyez ce que le mandataire transmet (X-Forwarded-For, -Host, -Proto), et TRUST_PROXY.',
        )
      : fine('proxy', 'Aucun, et aucun n’est attendu.')
  }
  if (!forwardedFor)
    return look(
      'proxy',
      'Cette page est venue sans X-Forwarded-For, que TRUST_PROXY attend.',
      'Que le mandataire le pose, et que rien d’autre que lui n’atteigne Comptoir (HOST=127.0.0.1).',
    )
  return isSecure && forwardedProto !== null && forwardedProto !== 'https'
    ? wrong(
        'proxy',
        `${came.join(', ')}\u202f: le mandataire dit que l’on vient sans HTTPS.`,
        'Que le mandataire pose X-Forwarded-Proto, et mène http vers https.',
      )
    : fine('proxy', `${came.join(', ')}.`)
}

export type OpenVersion = { version: string; count: number }

/** Versions of the pages that spoke to this server a short while ago. */
export function pagesCheck({ version, open }: { version: string; open: readonly OpenVersion[] }): Check {
  const said = open
    .map((one) => `${one.count} page${one.count > 1 ? 's' : ''} en version ${one.version}`)
    .join(', ')
  const fact = `Le serveur est en version ${version}\u202f; ${said === '' ? 'aucune page n’a parlé depuis une demi-heure' : said}.`
  return open.every((one) => one.version === version)
    ? fine('pages', fact)
    : look(
        'pages',
        fact,
        'Rechargez les pages des autres versions\u202f: «\u00a0Appareils\u00a0» dit lesquelles.',
      )
}

/** What support is sent, and what the command prints. */
export function textOfChecks(
  checks: readonly Check[],
  { version, at }: { version: string; at: string },
): string {
  const width = { state: widest(Object.values(stateWords)), label: widest(checks.map(({ label }) => label)) }
  const lines = checks.flatMap(({ state, label, fact, advice }) => [
    `${stateWords[state].padEnd(width.state)}  ${label.padEnd(width.label)}  ${fact}`,
    ...(advice === null ? [] : [`${' '.repeat(width.state + width.label + 4)}→ ${advice}`]),
  ])
  return [`Comptoir ${version}, état de l’installation le ${at}`, '', ...lines].join('\n')
}

const widest = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length))
