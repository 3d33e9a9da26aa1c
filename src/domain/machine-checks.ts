import { byteSize } from './byte-size.ts'
import { type CalendarDay, daysBetween, frenchDay, plusDays } from './calendar-day.ts'
import { type Check, fine, look, unknown, wrong } from './installation-checks.ts'

// These checks judge the machine and what it was given: Node, memory, disk, folders, mail server, backups.

/** The last day that each line of Node is kept up. */
const nodeLines: Readonly<Record<number, CalendarDay>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
}

export function nodeCheck({ version, today }: { version: string; today: CalendarDay }): Check {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const install = 'Installez Node 24.'
  if (major < 20 || (major === 20 && minor < 19))
    return wrong('node', `${version}, et Comptoir demande au moins 20.19.`, install)
  const last = nodeLines[major]
  return last !== undefined && last < today
    ? look('node', `${version}, une ligne qui n’est plus entretenue depuis le ${frenchDay(last)}.`, install)
    : fine('node', version)
}

const megabyte = 1_000_000
const gigabyte = 1000 * megabyte

/** `free` is null where the machine does not tell what it could still give. */
export function memoryCheck({ total, free }: { total: number; free: number | null }): Check {
  const fact = `${free === null ? '' : `${byteSize(free)} libres sur `}${byteSize(total)}.`
  if (total < 0.9 * gigabyte)
    return look('memory', fact, 'Donnez au moins 1\u202fGo à Comptoir, 2\u202fGo pour être à l’aise.')
  return free !== null && free < 100 * megabyte
    ? look('memory', fact, 'Voyez ce qui prend la mémoire, ou donnez-en plus à cette machine.')
    : fine('memory', fact)
}

export function diskCheck(disk: { free: number; total: number } | null): Check {
  if (disk === null) return unknown('disk', 'La place libre n’a pas pu être lue.')
  const fact = `${byteSize(disk.free)} libres sur ${byteSize(disk.total)}.`
  if (disk.free >= gigabyte) return fine('disk', fact)
  const advice = 'Libérez de la place sur le disque de DATA_DIR\u202f: plein, plus rien ne s’enregistre.'
  return (disk.free < 200 * megabyte ? wrong : look)('disk', fact, advice)
}

/** `path` is null where it is not told; `trouble` is the system's code, such as EACCES. */
export type FolderFacts = {
  name: string
  path: string | null
  trouble: string | null
  isOpenToOthers: boolean
}

export function foldersCheck(folders: readonly FolderFacts[]): Check {
  const fact = folders
    .map(({ name, path, trouble, isOpenToOthers }) => {
      const found =
        trouble === 'ENOENT'
          ? 'n’existe pas'
          : (trouble ?? (isOpenToOthers ? 'lisible par d’autres comptes' : null))
      const where = path === null ? name : `${name}\u202f: ${path}`
      return found === null ? where : `${where} (${found})`
    })
    .join('\u202f; ')
  const bad = folders.find(({ trouble }) => trouble !== null)
  if (bad) {
    const advice =
      bad.trouble === 'ENOENT'
        ? `Le dossier de ${bad.name} vient ${bad.name === 'BACKUP_DIR' ? 'avec la première sauvegarde' : 'au premier démarrage'}, ou n’est pas celui du serveur.`
        : `Le compte qui fait tourner Comptoir doit pouvoir lire et écrire dans le dossier de ${bad.name}.`
    return (bad.trouble === 'ENOENT' ? look : wrong)('folders', fact, advice)
  }
  return folders.some(({ isOpenToOthers }) => isOpenToOthers)
    ? look('folders', fact, 'Fermez ce dossier aux autres comptes (chmod 700).')
    : fine('folders', fact)
}

/** `server` is null where none is set; `trouble` is null where it greeted. */
export function mailCheck({ server, trouble }: { server: string | null; trouble: string | null }): Check {
  if (server === null)
    return look(
      'mail',
      'Aucun serveur de messagerie n’est branché\u202f: chaque courriel devient un fichier du serveur.',
      'Donnez SMTP_URL et MAIL_FROM (le guide, «\u00a0Brancher le courrier\u00a0»).',
    )
  return trouble === null
    ? fine(
        'mail',
        `${server} répond. Le compte n’y est pas essayé\u202f: «\u00a0Courriel d’essai\u00a0» le fait.`,
      )
    : wrong(
        'mail',
        `${server} ne répond pas comme il le faudrait (${trouble}).`,
        'Voyez si SMTP_URL est juste, et si cette machine peut joindre ce serveur\u202f; ce qui attend partira ensuite.',
      )
}

/** Day and hour are the machine's, as those of the nightly backup are. */
export type BackupFacts = {
  directory: string | null
  /** Whether it has the backups of another installation. */
  isOfAnother: boolean
  /** Why the passphrase that was given cannot seal a backup. */
  passphraseFault: string | null
  last: CalendarDay | null
  today: CalendarDay
  hour: number
}

/** The day's backup is there by then. */
const doneBy = 4

export function backupCheck(facts: BackupFacts): Check {
  const { directory, isOfAnother, passphraseFault, last, today, hour } = facts
  if (directory === null)
    return look(
      'backup',
      'Le serveur n’en fait pas de lui-même\u202f: BACKUP_DIR n’est pas donné.',
      'Donnez-lui un dossier par BACKUP_DIR, si rien d’autre ne sauvegarde chaque nuit.',
    )
  if (isOfAnother)
    return wrong(
      'backup',
      'BACKUP_DIR reçoit les sauvegardes d’une autre installation.',
      'Donnez à celle-ci un dossier à elle\u202f; si elle a changé de place, effacez installation.txt dans ce dossier.',
    )
  if (passphraseFault !== null)
    return wrong(
      'backup',
      'Aucune ne peut être faite\u202f: la phrase secrète (BACKUP_PASSPHRASE) ne convient pas.',
      `${passphraseFault} Les sauvegardes déjà faites gardent la leur.`,
    )
  const why =
    'Lisez pourquoi dans le journal du serveur («\u00a0nightly backup failed\u00a0»)\u202f: disque plein, droits du dossier…'
  if (last === null)
    return look(
      'backup',
      'Aucune encore. La première vient peu après le démarrage, passé 2\u202fh.',
      `Si elle ne vient pas\u202f: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
    )
  const late = daysBetween(last, hour < doneBy ? plusDays(today, -1) : today)
  const made = `La dernière est du ${frenchDay(last)}`
  return late <= 0
    ? fine('backup', `${made}.`)
    : (late === 1 ? look : wrong)(
        'backup',
        `${made}\u202f: ${late === 1 ? 'un jour' : `${late} jours`} de retard.`,
        why,
      )
}

/** Why last night's backup is not there; null where it is, where the first is still to come, and where the server makes none. */
export function backupTrouble(facts: BackupFacts): Check | null {
  const { directory, isOfAnother, passphraseFault, last } = facts
  if (directory === null) return null
  if (last === null && !isOfAnother && passphraseFault === null) return null
  const check = backupCheck(facts)
  return check.state === 'fine' ? null : check
}
