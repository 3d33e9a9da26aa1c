import { say } from '../page/messages.ts'

/** Copies a text for pasting elsewhere, and says `done`, or that the browser refused. */
export async function copyText(text: string, done: string): Promise<void> {
  // A browser may refuse it to this page, or want a person's press.
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
  if (isCopied) say(done)
  else say('Le navigateur a refusé de copier\u202f: sélectionnez le texte, et copiez-le vous-même.', 'bad')
}
