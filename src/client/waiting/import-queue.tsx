import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'

import { importEntries, ImportRefusedError } from '../../offline/import-entries.ts'
import { currentSession } from '../session/session.ts'
import { say } from '../ui/messages.ts'
import { counted } from '../ui/words.ts'
import { drainNow } from './counter-work.ts'

/** Takes in a queue that a device gave as a file; once or ten times, each action is done once. */
export function ImportQueue() {
  // Chosen again, the same file is read again.
  const reset = useRef<() => void>(null)
  const take = (file: File | null) => {
    reset.current?.()
    if (file) void importQueue(file)
  }
  return (
    <FileButton accept="application/json,.json" resetRef={reset} onChange={take}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconUpload size="1.2em" aria-hidden />}>
          Importer une file
        </Button>
      )}
    </FileButton>
  )
}

async function importQueue(file: File): Promise<void> {
  const session = currentSession()
  if (!session?.user || session.environment_id === null) return
  const person = { environment_id: session.environment_id, user_id: session.user.id }
  try {
    const { added, known } = await importEntries(await file.text(), person)
    const already = known > 0 ? `, ${counted(known, 'déjà connue', 'déjà connues')}` : ''
    say(`${counted(added, 'action importée', 'actions importées')}${already}.`, added > 0 ? 'good' : 'warn')
    drainNow()
  } catch (error) {
    say(error instanceof ImportRefusedError ? error.message : 'Ce fichier n’a pas pu être lu.', 'bad')
  }
}
