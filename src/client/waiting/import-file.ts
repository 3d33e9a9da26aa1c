import { shortFileName } from '../../domain/upload-rules.ts'
import { importEntries, ImportRefusedError, readQueue } from '../../offline/import-entries.ts'
import type { QueueFile } from '../../offline/read-queue-file.ts'
import { currentSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import { drainNow } from '../outbox/counter-work.ts'

function signedIn() {
  const session = currentSession()
  return session?.user && session.environment_id !== null
    ? { environment_id: session.environment_id, user_id: session.user.id }
    : null
}

/** Imports a queue, each action once; false to try it again later. `isWanted` asks of unchosen files. */
export async function importFile(
  file: QueueFile,
  isWanted: (count: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  if (file.text === null) {
    say(file.problem, 'bad')
    return true
  }
  const notImported = `«\u00a0${shortFileName(file.name)}\u00a0» n’a pas été importé`
  try {
    const asked = signedIn()
    const count = asked ? readQueue(file.text, asked).length : null
    if (count === 0) say('Ce fichier ne contient aucune action.', 'warn')
    if (count === 0 || (count !== null && !(await isWanted(count)))) return true
    // Whoever answered takes them in.
    const person = signedIn()
    if (!person) {
      say(`${notImported}\u202f: vous n’êtes plus connecté.`, 'warn')
      return false
    }
    const { added, known } = await importEntries(file.text, person)
    const already = known > 0 ? `, ${counted(known, 'déjà connue', 'déjà connues')}` : ''
    const words = counted(added, 'action importée', 'actions importées', 'Aucune action importée')
    say(`${words}${already}.`, added > 0 ? 'good' : 'warn')
    drainNow()
    return true
  } catch (error) {
    const isRefused = error instanceof ImportRefusedError
    say(isRefused ? error.message : `${notImported}\u202f: la mémoire de l’appareil ne répond pas.`, 'bad')
    return isRefused
  }
}
