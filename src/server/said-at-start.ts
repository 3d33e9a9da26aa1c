import { linkBase } from './http/link-base.ts'
import type { KnownEnvironment } from './db/environments/list-environments.ts'

/** What the server may be started with. */
const knownArguments = ['--demo', '--dev']

/** How it is started, where an argument is none that it knows; null where it knows them all. */
export function wrongArguments(given: readonly string[]): string | null {
  if (given.every((one) => knownArguments.includes(one))) return null
  return [
    'Usage\u202f: npm start, sans argument\u202f: les réglages sont des variables d’environnement (docs/operate.md, «\u202fLes variables\u202f»).',
    '        npm run demo ouvre la démonstration\u202f; à partir des sources, npm run dev sert ce qui s’écrit.',
  ].join('\n')
}

type Listening = { host: string; port: number; publicUrl: string }

const mostTold = 10

/** Where the libraries are met: the machine's own address where there is one library, each one's where there are several. */
export function toldOpen(known: readonly KnownEnvironment[], { host, port, publicUrl }: Listening): string[] {
  const here = `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`
  if (known.length < 2) return [`Comptoir est ouvert : ${here}`]
  const more = known.length - mostTold
  return [
    `Comptoir est ouvert : ${known.length} bibliothèques, chacune à son adresse.`,
    ...known.slice(0, mostTold).map(({ name, hosts }) => `  ${name} : ${linkBase(publicUrl, hosts)}`),
    ...(more > 0 ? [`  et ${more} de plus : npm run environment -- list`] : []),
  ]
}
