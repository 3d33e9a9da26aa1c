// `npm run environment -- VERB …` says which libraries an installation serves, and adds, renames or removes them.
import { join, resolve } from 'node:path'

import { isEmailAddress } from '../../domain/email-address.ts'
import { type PresetCode, presetCodes } from '../../domain/presets/presets.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import { runCommand, valueOf } from '../backup/run-command.ts'
import { requireNewFile, withItsSize } from '../backup/written-file.ts'
import { writeArchive } from '../data-export/archive-maker.ts'
import { librarySummary } from '../data-export/library-summary.ts'
import { ArchiveRefusal, openLibraryArchive } from '../data-export/opened-archive.ts'
import { readArchive } from '../data-export/read-archive.ts'
import type { Configuration } from '../process/configuration.ts'
import { openManager } from './manage-environments.ts'
import type { AddedEnvironment, Manager } from './managed-environments.ts'
import { moveEnvironment } from './move-environment.ts'

const usage = [
  'Usage\u202f: npm run environment -- list',
  '        npm run environment -- add NOM --hosts=pret.exemple.fr[,…] [--first-hosts=…] [--preset=mediatheque|ludotheque|parc|comite] [--administrator=ADRESSE]',
  '        npm run environment -- rename NUMÉRO NOM',
  '        npm run environment -- hosts NUMÉRO pret.exemple.fr[,…]',
  '        npm run environment -- archive NUMÉRO FICHIER.zip',
  '        npm run environment -- restore FICHIER.zip --hosts=pret.exemple.fr[,…] [--first-hosts=…]',
  '        npm run environment -- migrate [--at-once=4]',
  '        npm run environment -- move NUMÉRO --to=postgres://…/base [--files=DOSSIER]',
  '        MOVE_TO_URL=postgres://compte:mot-de-passe@… npm run environment -- move NUMÉRO [--files=DOSSIER]',
  '        npm run environment -- move NUMÉRO --to=DOSSIER',
  '        npm run environment -- remove NUMÉRO --archive=FICHIER.zip',
].join('\n')

type Asked = { words: readonly string[]; flag(name: string): string | undefined }
type Verb = (manager: Manager, asked: Asked, configuration: Configuration) => Promise<string>

const wrongUse = () => new BackupRefusedError(usage)

/** Word `at` of the command. */
const word = ({ words }: Asked, at: number): string => {
  const found = words[at]
  if (found === undefined) throw wrongUse()
  return found
}

const numberOf = (asked: Asked): number => {
  const id = Number(word(asked, 0))
  if (!Number.isInteger(id) || id < 1 || id > 999_999_999) throw wrongUse()
  return id
}

const hostsOf = (text: string | undefined): string[] => (text ?? '').split(',').filter((host) => host !== '')

const firstHostsOf = (asked: Asked) => hostsOf(asked.flag('first-hosts'))

const listed = (hosts: readonly string[]) => new Intl.ListFormat('fr').format(hosts)

const toldApart = ({ wasAlone }: AddedEnvironment): string =>
  wasAlone
    ? ` La bibliothèque ${wasAlone.id} («\u202f${wasAlone.name}\u202f») ne répond plus qu’à ${listed(wasAlone.hosts)}.`
    : ''

/** The mail is written, link and all, with the variables of the command; it leaves with those of the server. */
function toldInvited(administrator: string, link: string, dataDir: string): string {
  const said = [
    `L’invitation pour ${administrator} attend le serveur\u202f: il l’envoie dès qu’il tourne ou, sans SMTP_URL, l’écrit dans un fichier de «\u202f${join(dataDir, 'mail')}\u202f».`,
    `Son lien mène à ${link}.`,
    ...(process.env['PUBLIC_URL']?.trim()
      ? []
      : [
          'Si le serveur n’y est pas, donnez à cette commande son PUBLIC_URL (ou son PORT)\u202f: le lien est déjà écrit, et «\u202fMot de passe oublié\u202f», à la bonne adresse, en envoie un autre.',
        ]),
  ]
  return `\n${said.join('\n')}`
}

const presetOf = (text: string | undefined): PresetCode | null => {
  const found = presetCodes.find((code) => code === text)
  if (text !== undefined && found === undefined)
    throw new BackupRefusedError(
      `Il n’y a pas de modèle «\u202f${text}\u202f»\u202f: ${presetCodes.join(', ')}.`,
    )
  return found ?? null
}

const mailOf = (text: string | undefined): string | null => {
  if (text !== undefined && !isEmailAddress(text))
    throw new BackupRefusedError(`«\u202f${text}\u202f» n’est pas une adresse électronique.`)
  return text ?? null
}

/** `ps` shows everybody what a command is given, but not its environment. */
function destinationOf(flag: string | undefined): string {
  if (flag !== undefined && /^postgres(ql)?:\/\/([^@/?]*:[^@/]+@|.*[?&]password=)/i.test(flag))
    throw new BackupRefusedError(
      'Le mot de passe d’une base ne se donne pas sur la ligne de commande, où d’autres comptes le lisent (ps)\u202f: ' +
        'mettez l’adresse entière dans la variable MOVE_TO_URL, sans --to.',
    )
  const to = flag ?? process.env['MOVE_TO_URL']
  if (!to) throw wrongUse()
  return to
}

/** Writes the whole library to a file, and reads it again. */
async function archiveTo(manager: Manager, id: number, file: string): Promise<string> {
  await requireNewFile(file)
  const path = resolve(file)
  await manager.within(id, (environment) => writeArchive(environment, path))
  await openLibraryArchive(path)
  return `Archive de la bibliothèque ${id}\u202f: ${await withItsSize(file)}.`
}

const verbs: Readonly<Record<string, Verb>> = {
  async list(manager) {
    const all = await manager.list()
    if (all.length === 0) return 'Aucune bibliothèque encore\u202f: la première vient au premier démarrage.'
    return [
      ...all.map(({ id, name, hosts, isSilent }, at) => {
        if (isSilent) return `${id}\tne répond pas\u202f: sa machine est arrêtée ou injoignable`
        const without = at === 0 ? 'toute adresse qui n’est pas celle d’une autre' : 'aucun hôte'
        return `${id}\t${name}\t${hosts.join(', ') || without}`
      }),
      all.length === 1 ? '1 bibliothèque.' : `${all.length} bibliothèques.`,
    ].join('\n')
  },
  async add(manager, asked, { dataDir }) {
    const name = word(asked, 0)
    const administrator = mailOf(asked.flag('administrator'))
    const hosts = hostsOf(asked.flag('hosts'))
    const preset = presetOf(asked.flag('preset'))
    const added = await manager.add({ name, hosts, firstHosts: firstHostsOf(asked), preset, administrator })
    const { id, wasThere, generated, invitedTo } = added
    const how =
      generated === null ? '' : ` Connectez-vous en «\u202fadmin\u202f» avec le mot de passe ${generated}`
    const invited =
      administrator === null || invitedTo === null ? '' : toldInvited(administrator, invitedTo, dataDir)
    return `Bibliothèque ${id} («\u202f${name}\u202f») ${wasThere ? 'déjà là, et complétée' : 'ajoutée'}.${toldApart(added)}${invited}${how}`
  },
  async rename(manager, asked) {
    const [id, name] = [numberOf(asked), word(asked, 1)]
    await manager.rename(id, name)
    return `La bibliothèque ${id} s’appelle «\u202f${name.trim()}\u202f».`
  },
  async hosts(manager, asked) {
    const [id, hosts] = [numberOf(asked), hostsOf(word(asked, 1))]
    await manager.giveHosts(id, hosts)
    return `La bibliothèque ${id} répond à ${listed(hosts)}.`
  },
  archive: (manager, asked) => archiveTo(manager, numberOf(asked), word(asked, 1)),
  async restore(manager, asked) {
    const file = word(asked, 0)
    const hosts = hostsOf(asked.flag('hosts'))
    await openLibraryArchive(resolve(file))
    const firstHosts = firstHostsOf(asked)
    const before = await manager.list()
    const added = await manager.add({
      name: 'Comptoir',
      hosts,
      firstHosts,
      preset: null,
      administrator: null,
    })
    const reading = manager.within(added.id, (environment) => readArchive(environment, resolve(file)))
    const read = await reading.catch(async (error: unknown) => {
      if (!added.wasThere) await manager.undoAdd(added.id, before)
      throw error
    })
    return `Bibliothèque ${added.id} reprise.${toldApart(added)}\n${librarySummary(read)}`
  },
  async migrate(manager, asked) {
    const atOnce = Number(asked.flag('at-once') ?? 4)
    if (asked.words.length > 0 || !Number.isInteger(atOnce) || atOnce < 1) throw wrongUse()
    return manager.migrate(atOnce, (line) => void process.stdout.write(`${line}\n`))
  },
  async move(_, asked, { databaseUrl, dataDir, embeddedLimit }) {
    const [id, files] = [numberOf(asked), asked.flag('files')]
    const to = destinationOf(asked.flag('to'))
    const isDatabase = /^postgres(ql)?:\/\//.test(to)
    if (!isDatabase && files !== undefined) throw wrongUse()
    const moved = await moveEnvironment({
      from: { databaseUrl, dataDir },
      to: isDatabase
        ? { databaseUrl: to, dataDir: resolve(files ?? dataDir) }
        : { databaseUrl: null, dataDir: resolve(to) },
      id,
      embeddedLimit,
    })
    const there = `Bibliothèque ${id} déplacée\u202f: elle est là-bas la bibliothèque ${moved.id}.`
    if (!moved.counted) return `${there} C’est la fin d’un déplacement qui s’était interrompu.`
    const { rows, files: count } = moved.counted
    return `${there} ${rows} lignes et ${count} fichiers, comptés des deux côtés. Menez-y son adresse\u202f; ce qui était ici est gardé dans «\u202f${moved.kept}\u202f»\u202f: effacez-le quand vous n’en aurez plus besoin.`
  },
  async remove(manager, asked) {
    const id = numberOf(asked)
    const file = asked.flag('archive')
    if (!file) throw wrongUse()
    const isLeft = (await manager.list()).some((one) => one.id === id)
    const said = isLeft ? await archiveTo(manager, id, file) : ''
    await manager.remove(id)
    return `${said} La bibliothèque ${id} est retirée, avec ses fichiers.`.trim()
  },
}

await runCommand(
  {
    usage,
    known: [
      '--hosts',
      '--first-hosts',
      '--preset',
      '--administrator',
      '--archive',
      '--at-once',
      '--to',
      '--files',
    ],
    most: 3,
  },
  async ({ file: verb, more, flags, storage, configuration }) => {
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!run) throw wrongUse()
    const { embeddedLimit, publicUrl } = configuration
    const manager = openManager({ ...storage, embeddedLimit, publicUrl })
    try {
      return await run(manager, { words: more, flag: (name) => valueOf(flags, name) }, configuration)
    } catch (error) {
      throw error instanceof ArchiveRefusal ? new BackupRefusedError(error.message) : error
    } finally {
      await manager.close()
    }
  },
)
