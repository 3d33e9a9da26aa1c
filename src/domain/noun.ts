/** A kind of thing, as sentences speak of it. */
export type NounOfThings = { one: string; many: string; gender: 'm' | 'f' }

export const noun = (one: string, gender: 'm' | 'f', many = `${one}s`): NounOfThings => ({
  one,
  many,
  gender,
})

const isElided = (word: string) => /^[aeiouyéèêh]/i.test(word)

/** « une catégorie ». */
export const aNoun = ({ one, gender }: NounOfThings): string => `${gender === 'f' ? 'une' : 'un'} ${one}`

/** « l’emplacement ». */
export const theNoun = ({ one, gender }: NounOfThings): string =>
  isElided(one) ? `l’${one}` : `${gender === 'f' ? 'la' : 'le'} ${one}`

/** « cet emplacement ». */
export const thisNoun = ({ one, gender }: NounOfThings): string => {
  if (gender === 'f') return `cette ${one}`
  return `${isElided(one) ? 'cet' : 'ce'} ${one}`
}

/** « aucun emplacement ». */
export const noNoun = ({ one, gender }: NounOfThings): string => `aucun${gender === 'f' ? 'e' : ''} ${one}`

export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
