import { isCredentialField, isFormField } from '../page/text-field.ts'
import type { TypedKey } from './typed-scan.ts'

export const typedKeyOf = (event: KeyboardEvent): TypedKey => ({
  // Some password managers send a keydown without a key.
  key: event.key ?? '',
  at: event.timeStamp,
  repeat: event.repeat,
  composing: event.isComposing,
  // French keyboards need AltGr for « ] », the first sign of an AIM identifier.
  modified: (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph'),
  control: event.ctrlKey && !event.altKey && !event.metaKey,
  credential: isCredentialField(event.composedPath()[0]),
  box: boxText(event.composedPath()[0]),
  isWriting: isFormField(event.composedPath()[0]),
})

/** What stands in a box for codes; undefined in any other place. */
export const boxText = (place: EventTarget | null | undefined): string | undefined =>
  place instanceof HTMLInputElement && place.closest('[data-scan-box]') !== null ? place.value : undefined
