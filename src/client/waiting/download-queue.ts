import type { Entry } from '../../offline/entry.ts'
import { exportEntries } from '../../offline/outbox.ts'
import { say } from '../ui/messages.ts'

/** Gives the queue as a file, with the keys that make a second import harmless; `unsaved` are actions the device could not keep. */
export async function downloadQueue(unsaved: readonly Entry[] = []): Promise<void> {
  try {
    const text = await exportEntries(unsaved)
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `comptoir-actions-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, '-')}.json`
    link.click()
    // The click has taken the address by then (file 1, section 9, gives previews as long).
    setTimeout(() => URL.revokeObjectURL(url), 100)
  } catch {
    say('Les actions n’ont pas pu être lues sur cet appareil.', 'bad')
  }
}
