import { importEntries, ImportRefusedError, readQueue } from '../../offline/import-entries.ts'
import { currentSession } from '../session/session.ts'
import { say } from '../ui/messages.ts'
import { counted } from '../ui/words.ts'
import { drainNow } from './counter-work.ts'

function signedIn() {
  const session = currentSession()
  return session?.user && session.environment_id !== null
    ? { environment_id: session.environment_id, user_id: session.user.id }
    : null
}

/**
 * Takes in a queue that a device gave as a file; once or ten times, each action is done once. `isWanted` is asked where nobody chose the
 * file here, with how many actions it holds.
 */
export async function importFile(
  file: Pick<File, 'text'>,
  isWanted: (count: number) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  try {
    const text = await file.text()
    const asked = signedIn()
    if (!asked || !(await isWanted(readQueue(text, asked).length))) return
    // Whoever answered takes them in.
    const person = signedIn()
    if (!person) return
    const { added, known } = await importEntries(text, person)
    const already = known > 0 ? `, ${counted(known, 'déjà connue', 'déjà connues')}` : ''
    const words = counted(added, 'action importée', 'actions importées', 'Aucune action importée')
    say(`${words}${already}.`, added > 0 ? 'good' : 'warn')
    drainNow()
  } catch (error) {
    say(error instanceof ImportRefusedError ? error.message : 'Ce fichier n’a pas pu être lu.', 'bad')
  }
}
