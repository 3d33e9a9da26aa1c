import type { KnownEnvironment } from '../db/environments/list-environments.ts'
import { BackupRefusedError } from './backup-refused.ts'

const isHost = (host: string): boolean =>
  host.length <= 253 &&
  /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(host)

/** Throws BackupRefusedError; the hosts come back in lower case. */
export function requireHosts(hosts: readonly string[], others: readonly KnownEnvironment[]): string[] {
  const asked = [...new Set(hosts.map((host) => host.toLowerCase()))]
  const wrong = asked.find((host) => !isHost(host))
  if (wrong !== undefined)
    throw new BackupRefusedError(
      `«\u202f${wrong}\u202f» n’est pas un nom d’hôte\u202f: écrivez-le sans http:// ni port, comme pret.exemple.fr.`,
    )
  for (const { id, name, hosts: theirs } of others) {
    const taken = theirs.find((host) => asked.includes(host.toLowerCase()))
    if (taken !== undefined)
      throw new BackupRefusedError(
        `L’hôte «\u202f${taken}\u202f» est déjà celui de la bibliothèque ${id} («\u202f${name}\u202f»).`,
      )
  }
  return asked
}

/** Throws BackupRefusedError where there are others already, and no host tells each from the others. */
export function requireOwnHosts(hosts: readonly string[], others: readonly KnownEnvironment[]): string[] {
  if (others.length > 0 && hosts.length === 0)
    throw new BackupRefusedError(
      'À partir de deux bibliothèques, chacune a son hôte\u202f: donnez --hosts=pret.exemple.fr.',
    )
  const unnamed = others.find((other) => other.hosts.length === 0)
  if (unnamed)
    throw new BackupRefusedError(
      `La bibliothèque ${unnamed.id} (« ${unnamed.name} ») n’a pas d’hôte : dites d’abord par quelle adresse on y vient (« npm run environment -- hosts ${unnamed.id} pret.exemple.fr »), puis recommencez.`,
    )
  return requireHosts(hosts, others)
}

export const nobodyThere = (id: number) =>
  new BackupRefusedError(
    `Il n’y a pas de bibliothèque ${id} ici\u202f: «\u202fnpm run environment -- list\u202f» dit lesquelles il y a.`,
  )

export const tooManyEmbedded = (limit: number) =>
  new BackupRefusedError(
    `La base embarquée tient ${limit} bibliothèques au plus (EMBEDDED_LIMIT)\u202f: au-delà, passez à PostgreSQL (DATABASE_URL, docs/scaling.md).`,
  )

export const notLetGo = (id: number) =>
  new BackupRefusedError(
    `Un serveur tient encore la bibliothèque ${id}\u202f: elle reste comme elle était. Recommencez, ou arrêtez ce serveur d’abord.`,
  )
