// A scanner set to a QWERTY keyboard presses keys that a French computer reads as others: « HA112345 » comes as
// « HQ&&é"'( ». Windows, Mac and Belgian keyboards differ in 6, 8 and the hyphen.

const figureOf: Record<string, string> = {
  '&': '1',
  é: '2',
  '"': '3',
  "'": '4',
  '(': '5',
  '-': '6',
  '§': '6',
  è: '7',
  _: '8',
  '!': '8',
  ç: '9',
  à: '0',
  // With Caps Lock on, Mac and Linux write these keys so.
  É: '2',
  È: '7',
  Ç: '9',
  À: '0',
}

const signOf: Record<string, string> = {
  ...figureOf,
  q: 'a',
  a: 'q',
  z: 'w',
  w: 'z',
  ',': 'm',
  '?': 'M',
  ';': ',',
  ':': '.',
  ')': '-',
  '°': '_',
  $: ']',
}
for (const [typed, meant] of Object.entries(signOf)) {
  if (/[a-z]/.test(typed)) signOf[typed.toUpperCase()] = meant.toUpperCase()
}

/** Signs that a code hardly has. */
const azertySigns = /[&é"'(§èçà$]/i

/** The figures of a text that has nothing else, and other texts as they are. */
export function figuresOfAzerty(text: string): string {
  const figures = Array.from(text).map((sign) => figureOf[sign])
  return figures.every((figure) => figure !== undefined) ? figures.join('') : text
}

/** Sign by sign; null where the text does not look like it. */
export function undoAzerty(text: string): string | null {
  if (/\d/.test(text) || !azertySigns.test(text)) return null
  return Array.from(text)
    .map((sign) => signOf[sign] ?? sign)
    .join('')
}
