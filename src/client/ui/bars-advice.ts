import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import { whyNoBars } from '../../domain/symbology-signs.ts'

/** Below a field, in place of what it usually says: a code that stands on a thing already is taken all the same. */
function advice(what: string, symbology: LabelSymbology | undefined, typed: string, usual?: string) {
  const code = typed.trim()
  const why = symbology === undefined || code === '' ? null : whyNoBars(symbology, code)
  return why === null
    ? { description: usual }
    : {
        description: `${what}\u202f: ${why}.`,
        descriptionProps: { c: 'var(--warn-ink)', role: 'status' },
      }
}

/** That a copy's code has no bars in the symbology of its site's labels. */
export const labelAdvice = (symbology: LabelSymbology | undefined, code: string, usual?: string) =>
  advice('Ce code ne pourra pas être imprimé sur une étiquette', symbology, code, usual)

/** That a card's number has no bars in that of cards. */
export const cardAdvice = (number: string) =>
  advice('Ce numéro ne pourra pas être en code-barres sur une carte', 'CODE128', number)
