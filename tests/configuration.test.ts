import { describe, expect, it } from 'vitest'

import {
  ConfigurationError,
  readConfiguration,
  readDemonstrationConfiguration,
} from '../src/server/process/configuration.ts'

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfiguration({ PORT: '', SMTP_URL: ' ' })).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: null,
      databaseReadUrl: null,
      databaseConnections: 20,
      databaseReadConnections: 6,
      embeddedLimit: 5,
      adminPassword: null,
      smtpUrl: null,
      mailFrom: 'Comptoir <comptoir@localhost>',
      publicUrl: 'http://localhost:3000',
      lookupSources: ['https://catalogue.bnf.fr/api/SRU', 'https://openlibrary.org'],
      syncSource: null,
      trustProxy: false,
      metricsToken: null,
      securityLog: null,
      logLevel: null,
      backupDir: null,
      backupKeepDays: 14,
    })
  })

  it('reads from a copy only where there is a database that it follows', () => {
    const DATABASE_READ_URL = 'postgres://comptoir@copie/comptoir'
    expect(readConfiguration({ DATABASE_READ_URL }).databaseReadUrl).toBeNull()
    const both = { DATABASE_URL: 'postgres://comptoir@db/comptoir', DATABASE_READ_URL }
    expect(readConfiguration(both).databaseReadUrl).toBe(DATABASE_READ_URL)
    expect(() => readConfiguration({ ...both, DATABASE_READ_URL: 'mysql://copie' })).toThrow(
      'DATABASE_READ_URL',
    )
  })

  it('reads what is set', () => {
    const configuration = readConfiguration({
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/srv/comptoir',
      DATABASE_URL: 'postgres://comptoir@db/comptoir',
      ADMIN_PASSWORD: ' avec des espaces ',
      SMTP_URL: 'smtps://user:secret@mail.exemple.fr',
      MAIL_FROM: 'Médiathèque <pret@exemple.fr>',
      PUBLIC_URL: 'https://exemple.fr/pret/',
      LOOKUP_SOURCES: 'http://a.exemple, http://b.exemple',
      SYNC_SOURCE: 'https://rh.exemple.fr/personnes.csv?jeton=1',
      TRUST_PROXY: 'true',
      METRICS_TOKEN: 'jeton-de-mesure-0001',
      SECURITY_LOG: ' /var/log/comptoir/security.log ',
      LOG_LEVEL: 'Debug',
      BACKUP_DIR: ' /srv/sauvegardes ',
      BACKUP_KEEP_DAYS: '30',
    })
    expect(configuration).toMatchObject({
      backupDir: '/srv/sauvegardes',
      backupKeepDays: 30,
      port: 8080,
      host: '::1',
      adminPassword: ' avec des espaces ',
      publicUrl: 'https://exemple.fr/pret',
      lookupSources: ['http://a.exemple', 'http://b.exemple'],
      syncSource: 'https://rh.exemple.fr/personnes.csv?jeton=1',
      trustProxy: true,
      metricsToken: 'jeton-de-mesure-0001',
      securityLog: '/var/log/comptoir/security.log',
      logLevel: 'debug',
    })
  })

  it('takes readers from a file, or from an encrypted address', () => {
    expect(readConfiguration({ SYNC_SOURCE: './rh/personnes.xlsx' }).syncSource).toBe('./rh/personnes.xlsx')
    for (const wrong of ['http://rh.exemple.fr/personnes.csv', 'ftp://rh.exemple.fr', 'https://'])
      expect(() => readConfiguration({ SYNC_SOURCE: wrong })).toThrow('SYNC_SOURCE doit être')
  })

  it('puts its own port in the public address when none is given', () => {
    expect(readConfiguration({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  })

  it('keeps a demonstration away from the database, the mail and the network of where it is started', () => {
    const env = {
      PORT: '8080',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://comptoir@db/comptoir',
      SMTP_URL: 'smtps://user:secret@mail.exemple.fr',
      SYNC_SOURCE: '/srv/personnes.csv',
    }
    expect(readDemonstrationConfiguration(env)).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data/demonstration',
      databaseUrl: null,
      securityLog: null,
      smtpUrl: null,
      syncSource: null,
    })
    expect(readDemonstrationConfiguration({ ...env, DATA_DIR: '/srv/essai' }).dataDir).toBe('/srv/essai')
  })

  it('names every variable at fault, and repeats no value', () => {
    const env = {
      PORT: '70000',
      HOST: 'un deux',
      DATABASE_URL: 'mysql://root:secret@db',
      SMTP_URL: 'secret',
      MAIL_FROM: 'personne\r\nBcc: a@b.fr',
      PUBLIC_URL: 'javascript:alert(1)',
      LOOKUP_SOURCES: 'ftp://a',
      SYNC_SOURCE: 'https://rh:secret@rh.exemple.fr',
      TRUST_PROXY: 'peut-être',
      METRICS_TOKEN: 'court',
      LOG_LEVEL: 'bavard',
    }
    const read = () => readConfiguration(env)
    expect(read).toThrow(ConfigurationError)
    for (const name of Object.keys(env)) expect(read).toThrow(`${name} doit être`)
    expect(read).toThrow(/^(?!.*(secret|Bcc))/s)
  })
})
