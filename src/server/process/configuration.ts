import { addressesIn } from '../db/connections/machines.ts'
import { mostConnections } from '../db/connections/connections.ts'
import { mostReadConnections } from '../db/connections/replica.ts'
import { dataDirectoryOf } from './data-directory.ts'
import { type LogLevel, logLevels } from './logger.ts'

export type Configuration = {
  port: number
  host: string
  /** For the embedded database, images, and mails when no SMTP is set. */
  dataDir: string
  databaseUrl: string | null
  /** Of a copy that follows that database, for statistics and exports; not without it. */
  databaseReadUrl: string | null
  /** Of one process, to PostgreSQL, however many environments it serves. */
  databaseConnections: number
  /** The same to that copy. */
  databaseReadConnections: number
  /** The most environments that the embedded engine serves. */
  embeddedLimit: number
  /** The password of `admin` at the first start of an empty environment. */
  adminPassword: string | null
  smtpUrl: string | null
  mailFrom: string
  /** In links of mails, without a slash at its end. */
  publicUrl: string
  /** Addresses of the code look-up services, in order. */
  lookupSources: string[]
  /** The file or the address of the persons that a synchronisation brings in. */
  syncSource: string | null
  trustProxy: boolean
  /** What /metrics asks for; without it that address does not exist. */
  metricsToken: string | null
  securityLog: string | null
  logLevel: LogLevel | null
  /** Where the server makes a backup each night; null for none. */
  backupDir: string | null
  backupKeepDays: number
}

/** One line for each wrong variable. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

const defaultLookupSources = ['https://catalogue.bnf.fr/api/SRU', 'https://openlibrary.org']

/** Throws a ConfigurationError of all faults, without the values, because addresses hold passwords. */
export function readConfiguration(env: NodeJS.ProcessEnv): Configuration {
  const faults: string[] = []
  const read = <T>(
    name: string,
    fallback: T,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T => {
    const text = env[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (value === undefined) faults.push(`${name} doit être ${expected}.`)
    return value ?? fallback
  }
  const port = read('PORT', 3000, portOf, 'un nombre entier de 0 à 65535')
  const configuration: Configuration = {
    port,
    host: read(
      'HOST',
      '127.0.0.1',
      (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
      'un nom ou une adresse de réseau',
    ),
    dataDir: dataDirectoryOf(env),
    databaseUrl: read<string | null>(
      'DATABASE_URL',
      null,
      databaseAddressOf,
      'une adresse postgres://…, ou plusieurs machines séparées par des virgules\u202f: postgres://compte@une,autre/base',
    ),
    databaseReadUrl: env['DATABASE_URL']?.trim()
      ? read<string | null>(
          'DATABASE_READ_URL',
          null,
          addressOf('postgres:', 'postgresql:'),
          'une adresse postgres://…',
        )
      : null,
    databaseConnections: read(
      'DATABASE_CONNECTIONS',
      mostConnections,
      countFrom(3),
      'un nombre entier de 3 à 500',
    ),
    databaseReadConnections: read(
      'DATABASE_READ_CONNECTIONS',
      mostReadConnections,
      countFrom(2),
      'un nombre entier de 2 à 500',
    ),
    embeddedLimit: read('EMBEDDED_LIMIT', 5, countFrom(1), 'un nombre entier de 1 à 500'),
    adminPassword: env['ADMIN_PASSWORD'] || null,
    smtpUrl: read<string | null>(
      'SMTP_URL',
      null,
      addressOf('smtp:', 'smtps:'),
      'une adresse smtp://… ou smtps://…',
    ),
    mailFrom: read(
      'MAIL_FROM',
      'Comptoir <comptoir@localhost>',
      (text) => (/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : undefined),
      'une adresse électronique, seule ou comme «\u00a0Nom <adresse>\u00a0»',
    ),
    publicUrl: read(
      'PUBLIC_URL',
      `http://localhost:${port}`,
      publicUrlOf,
      'une adresse http(s)://… sans «\u00a0?\u00a0» ni «\u00a0#\u00a0»',
    ),
    lookupSources: read(
      'LOOKUP_SOURCES',
      defaultLookupSources,
      addressesOf,
      'une liste d’adresses http(s)://…, séparées par des virgules',
    ),
    syncSource: read<string | null>(
      'SYNC_SOURCE',
      null,
      syncSourceOf,
      'le chemin d’un fichier, ou une adresse https://… sans nom ni mot de passe',
    ),
    trustProxy: read('TRUST_PROXY', false, flagOf, '1 ou 0'),
    metricsToken: read<string | null>(
      'METRICS_TOKEN',
      null,
      (text) => (/^[\x21-\x7e]{16,500}$/.test(text) ? text : undefined),
      'un mot de 16 à 500 signes, sans espace ni accent',
    ),
    securityLog: env['SECURITY_LOG']?.trim() || null,
    logLevel: read<LogLevel | null>(
      'LOG_LEVEL',
      null,
      (text) => logLevels.find((level) => level === text.toLowerCase()),
      `un de ${logLevels.join(', ')}`,
    ),
    backupDir: env['BACKUP_DIR']?.trim() || null,
    backupKeepDays: read('BACKUP_KEEP_DAYS', 14, countFrom(1), 'un nombre entier de 1 à 500'),
  }
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
  return configuration
}

/** A demonstration's password is public, so it listens here alone and uses no outer database or mail. */
export const readDemonstrationConfiguration = (env: NodeJS.ProcessEnv): Configuration =>
  readConfiguration({
    ...env,
    HOST: '',
    DATABASE_URL: '',
    SMTP_URL: '',
    SYNC_SOURCE: '',
    BACKUP_DIR: '',
    DATA_DIR: dataDirectoryOf(env, true),
  })

function portOf(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : undefined
}

const countFrom =
  (least: number) =>
  (text: string): number | undefined =>
    /^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= 500 ? Number(text) : undefined

function addressOf(...protocols: string[]) {
  return (text: string): string | undefined =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined
}

function databaseAddressOf(text: string): string | undefined {
  try {
    return addressesIn(text).every(addressOf('postgres:', 'postgresql:')) ? text : undefined
  } catch {
    return undefined
  }
}

function publicUrlOf(text: string): string | undefined {
  if (!addressOf('http:', 'https:')(text)) return undefined
  const { search, hash, username, origin, pathname } = new URL(text)
  return search || hash || username ? undefined : `${origin}${pathname}`.replace(/\/+$/, '')
}

function addressesOf(text: string): string[] | undefined {
  const addresses = text.split(/[\s,]+/).filter(Boolean)
  return addresses.every((address) => addressOf('http:', 'https:')(address)) ? addresses : undefined
}

/** Readers travel encrypted, or not at all. */
function syncSourceOf(text: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return text
  if (!addressOf('https:')(text)) return undefined
  const { username, password } = new URL(text)
  return username || password ? undefined : text
}

function flagOf(text: string): boolean | undefined {
  if (/^(1|true|yes|oui)$/i.test(text)) return true
  return /^(0|false|no|non)$/i.test(text) ? false : undefined
}
