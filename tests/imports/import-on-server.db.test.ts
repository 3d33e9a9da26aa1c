import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, it } from 'vitest'

import { importOnServer } from '../../src/server/imports/import-on-server.ts'
import { StatementRecorder } from '../bench/scale/captured-statements.ts'
import { liveRows } from '../support/live-rows.ts'
import { describeServer } from '../support/test-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'comptoir-import-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describeServer('npm run import', (server) => {
  const path = join(directory, 'catalogue.csv')
  const run = (more: object = {}) =>
    importOnServer(server.environment, {
      path,
      name: 'catalogue.csv',
      username: 'admin',
      subject: 'references',
      site: 'Centre',
      isDry: false,
      now: () => server.now,
      ...more,
    })

  it('tries, brings in and tells as the screen does, with no job left behind', async () => {
    writeFileSync(path, 'titre;code-barres\nVendredi;6001\n;6002\n')
    expect(await run({ isDry: true })).toBe(
      '2 lignes\u202f: 1 à ajouter, 0 à changer, 0 inchangée, 1 refusée.\nLigne 3\u202f: «\u00a0Titre\u00a0» est vide.',
    )
    expect(await run()).toMatch(/: 1 ajoutée, 0 changée, /)
    expect(await run()).toMatch(/0 ajoutée, 0 changée, 1 inchangée, 1 refusée\./)
    const admin = await server.as('admin')
    expect((await admin.get('/api/copies?bar_code=6001')).body['hydra:member']).toMatchObject([
      { name: 'Vendredi', site: 1 },
    ])
    expect((await admin.get('/api/acts')).body['hydra:member']).toMatchObject([
      {},
      { name: expect.stringContaining('catalogue.csv'), fixed: null },
    ])
    await server.doJobs()
  })

  it('names the columns that it does not take', async () => {
    writeFileSync(path, 'nom;prénom;solde;date fin abonnement\nDuval;Zoé;3,20;31/12/2026\n')
    expect(await run({ subject: 'readers', isDry: true })).toBe(
      '1 ligne\u202f: 1 à ajouter, 0 à changer, 0 inchangée, 0 refusée.\nColonne qui ne s’importe pas\u202f: «\u00a0solde\u00a0».',
    )
  })

  it('refuses a file of readers or loans for which nobody said what it is, and takes it as what somebody says', async () => {
    const places = () => readdirSync(join(server.environment.files, 'imports'))
    const before = places()
    writeFileSync(path, 'matricule;nom;prénom;courriel\nL1;Duval;Zoé;zoe@exemple.fr\n')
    await expect(run({ subject: null })).rejects.toThrow(
      'Ces colonnes sont celles de lecteurs\u202f: ajoutez --subject=readers (ou --subject=references, si c’est bien un catalogue).',
    )
    expect(places()).toEqual(before)
    expect(await run({ subject: 'references', isDry: true })).toMatch(/^1 ligne\s: 1 à ajouter/)
    writeFileSync(path, 'code-barres;matricule;date de prêt;retour prévu\n6001;M1;01/03/2026;22/03/2026\n')
    await expect(run({ subject: null })).rejects.toThrow(
      'celles de prêts en cours\u202f: ajoutez --subject=loans',
    )
    writeFileSync(path, 'titre;auteur;code-barres\nVendredi;Tournier;6003\n')
    expect(await run({ subject: null, isDry: true })).toMatch(/^1 ligne\s: 1 à ajouter/)
  })

  it('says how a site is added only to who may, and first where there may be several', async () => {
    writeFileSync(path, 'titre;code-barres;site\nRobinson;6201;ANX\n')
    const several = (value: string) =>
      server.db.updateTable('parameters').set({ value }).where('code', '=', 'multisite').execute()
    expect(await run({ isDry: true, username: 'biblio' })).not.toContain('--create-site')
    await several('0')
    expect(await run({ isDry: true })).toContain(
      'activez d’abord «\u00a0Plusieurs sites\u00a0» (Réglages, Paramètres généraux), puis --create-site="NOM".',
    )
    await several('1')
    expect(await run({ isDry: true })).toContain('Pour l’ajouter\u202f: --create-site="NOM".')
  })

  it('is told which sites the file names, and adds those that it is told to add; a trial adds none', async () => {
    writeFileSync(path, 'titre;code-barres;site\nRobinson;6101;ANX\nCrusoé;6102;Nord\nAilleurs;6103;Sud\n')
    expect(await run({ isDry: true })).toMatch(
      /^3 lignes\s: 0 à ajouter, .* 3 refusées\.\n[^]*\nSites du fichier que personne ne connaît\s: «\sANX\s», «\sNord\s», «\sSud\s»\.\n.*--site-of=.*--create-site=/,
    )
    const sites = {
      sitesOf: new Map([
        ['ANX', 'annexe'],
        ['Sud', 'Le Nord'],
      ]),
      newSites: ['Nord', 'Le Nord', 'Centre'],
    }
    const places = () => readdirSync(join(server.environment.files, 'imports'))
    const before = [await liveRows(server.db), places()]
    expect(await run({ isDry: true, ...sites })).toMatch(/^3 lignes\s: 3 à ajouter, .* 0 refusée\.$/)
    expect([await liveRows(server.db), places()]).toEqual(before)
    expect(await run(sites)).toMatch(/^3 lignes\s: 3 ajoutées, .* 0 refusée\.$/)
    const admin = await server.as('admin')
    const { body } = await admin.get('/api/sites?order[id]=asc')
    const named = body['hydra:member'] as { id: number; name: string }[]
    expect(named.map(({ name }) => name)).toEqual(['Centre', 'Annexe', 'Nord', 'Le Nord'])
    const copies = (await admin.get('/api/copies?filters[bar_code|in]=6101,6102,6103&order[bar_code]=asc'))
      .body['hydra:member'] as { site: number }[]
    expect(copies.map(({ site }) => named.find(({ id }) => id === site)?.name)).toEqual([
      'Annexe',
      'Nord',
      'Le Nord',
    ])
    const elsewhere = run({ sitesOf: new Map([['ANX', 'Mars']]) })
    await expect(elsewhere).rejects.toThrow('Pour l’ajouter\u202f: --create-site="Mars"')
    const benevole = run({ username: 'biblio', subject: 'readers', newSites: ['Mars'] })
    await expect(benevole).rejects.toThrow('biblio n’a pas le droit d’ajouter un site.')
  })

  it('refuses in a sentence what cannot be', async () => {
    await expect(run({ username: 'personne' })).rejects.toThrow('Le compte personne n’existe pas')
    await expect(run({ username: 'lecture' })).rejects.toThrow('lecture n’a pas le droit')
    await expect(run({ site: 'Mars' })).rejects.toThrow('Aucun site ne s’appelle')
    await expect(run({ subject: 'chats' })).rejects.toThrow('--subject est l’un de')
    writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]))
    await expect(run()).rejects.toThrow(/image|fichier/)
  })

  it.each([
    ['references', 'titre;code-barres;site', (at: number) => `Essai ${at};E${at};Lune`],
    ['readers', 'matricule;carte;nom;site', (at: number) => `E${at};CE${at};Essai ${at};Lune`],
  ])('holds no code of a file of %s that it tries with the sites to add', async (subject, header, lineOf) => {
    writeFileSync(path, [header, ...Array.from({ length: 5 }, (_, at) => lineOf(at)), ''].join('\n'))
    const recorder = new StatementRecorder(server.environment.pool)
    const held = async (more: object) => {
      const { result, statements } = await recorder.record(() => run({ subject, site: null, ...more }))
      expect(result).toMatch(/^5 lignes\s: 5 /)
      return statements.filter(({ text }) => text.includes('pg_advisory_xact_lock')).length
    }
    const newSites = ['Lune']
    expect(await held({ isDry: true, newSites })).toBe(0)
    expect(await held({ newSites })).toBeGreaterThan(0)
  })
})
