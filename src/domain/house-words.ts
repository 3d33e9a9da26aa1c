/** A word of the software and the one that the library says instead, both as in the middle of a sentence. */
export type HouseWord = { said: string; here: string; gender: 'm' | 'f' }

/** What goes before a noun and follows it: masculine, masculine before a vowel, feminine, feminine before a vowel. */
const forms = [
  'le |l’|la |l’',
  'au |à l’|à la |à l’',
  'du |de l’|de la |de l’',
  'de |d’|de |d’',
  'un |un |une |une ',
  'aucun |aucun |aucune |aucune ',
  'ce |cet |cette |cette ',
  'quel |quel |quelle |quelle ',
  'nouveau |nouvel |nouvelle |nouvelle ',
  'le premier |le premier |la première |la première ',
  'du premier |du premier |de la première |de la première ',
  'au premier |au premier |à la première |à la première ',
  'un premier |un premier |une première |une première ',
  'premier |premier |première |première ',
  'tout |tout |toute |toute ',
  'tous les |tous les |toutes les |toutes les ',
].map((row) => row.split('|'))
const befores = [...new Set(forms.flat())].join('|')
const beforeVowel = /^[aàâeéèêëiîïoôœuùûyh]/i

export type Wording = (label: string) => string
const asDelivered: Wording = (label) => label

/**
 * Writes the library's words into labels, with the capital of the word that was there and what goes before it
 * (« du prêt » becomes « de l’emprunt »). What stands between « and » was written by people and stays.
 */
export function inHouseWords(words: readonly HouseWord[]): Wording {
  const changed = new Map(
    words.filter(({ said, here }) => said !== here).map((word) => [word.said, word] as const),
  )
  if (changed.size === 0) return asDelivered
  // A sentence may be made of words that are said already: « lecteur inscrit » for « lecteur » stays as it is.
  const either = [...changed].flatMap(([said, { here }]) => [said, here])
  // The longest first, as one may begin another.
  const sought = either.sort((a, b) => b.length - a.length).map(asWritten)
  const found = new RegExp(
    `«[^»]*»|(^|[^\\p{L}\\p{N}-])(${befores.replaceAll('’', "['’]").replaceAll(' ', '\\s')})?(${sought.join('|')})(?![\\p{L}\\p{N}-])(?! de codes)`,
    'giu',
  )
  return (label) =>
    label.replace(found, (whole: string, edge = '', before = '', word = '') => {
      const house = changed.get(word.toLowerCase())
      if (!house) return whole
      const { here, gender } = house
      const plain = before.toLowerCase().replace(/\s/g, ' ').replace("'", '’')
      const form = forms.find((row) => row.includes(plain))
      const at = (gender === 'f' ? 2 : 0) + (beforeVowel.test(here) ? 1 : 0)
      const written = (form?.[at] ?? '') + here
      return edge + (/^\p{Lu}/u.test(before + word) ? capital(written) : written)
    })
}

/** Only the software's own words are known to hold no sign that a pattern reads. */
const asWritten = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A word as in the middle of a sentence, whatever its first letter was written like: « Adhérent », but « DVD ». */
export const inSentence = (word: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word
