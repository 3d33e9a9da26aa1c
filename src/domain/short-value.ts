/** Of an imported value, as many characters as are shown (file 2, section 5). */
const most = 40

export function shortValue(value: string): string {
  const characters = Array.from(value)
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : value
}
