import { queueExtension, queueType } from '../../contract/queue-file.ts'
import type { Entry } from '../../offline/entry.ts'
import { exportEntries } from '../../offline/export-entries.ts'
import { say } from '../page/messages.ts'
import { saveFile } from '../ui/save-file.ts'

/** With keys that make a second import harmless; `unsaved` are actions that could not be stored. */
export async function downloadQueue(unsaved: readonly Entry[] = []): Promise<void> {
  try {
    const text = await exportEntries(unsaved)
    const at = new Date().toISOString().slice(0, 16).replace(/[:T]/g, '-')
    saveFile({
      name: `comptoir-actions-${at}${queueExtension}`,
      content: new Blob([text], { type: queueType }),
    })
  } catch {
    say('Les actions n’ont pas pu être lues sur cet appareil.', 'bad')
  }
}
