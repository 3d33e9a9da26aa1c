/** Of an imported value, as many characters as are shown. */
const most = 40

export function shortValue(value: string): string {
  const characters = Array.from(value)
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : value
}

/** Of a line that shows what its accents became, as many characters, its first accent among them: all before it is the same in any charset. */
export function shortSample(line: string): string {
  const characters = Array.from(line)
  const accent = characters.findIndex((one) => one > '\u007f')
  if (characters.length <= most || accent < most - 10) return shortValue(line)
  // From a word on, where one begins there.
  const from = accent - 20 + characters.slice(accent - 20, accent - 10).indexOf(' ') + 1
  return `…${shortValue(characters.slice(from).join(''))}`
}
