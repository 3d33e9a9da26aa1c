import { say } from '../page/messages.ts'

/** Copies a text for pasting elsewhere, and says `done`, or that the browser refused. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    // It refuses this page, wants a person's press, or has no clipboard where a page is not secure.
    say('Le navigateur a refusé de copier\u202f: sélectionnez le texte, et copiez-le vous-même.', 'bad')
  }
}
