import { aNoun, capitalised, noNoun, noun, type NounOfThings, theNoun } from '../../domain/noun.ts'
import { inWords } from '../page/house-words.ts'

/** A kind of thing in sentences; `e` ends its participles. */
export type Noun = { one: string; many: string; a: string; the: string; none: string; e: '' | 'e' }

/** Such as « un emplacement », « l’emplacement », « emplacements », « Aucun emplacement ». */
export const nounOf = (one: string, gender: 'm' | 'f', many?: string): Noun =>
  inSentences(noun(one, gender, many))

export function inSentences(of: NounOfThings): Noun {
  const none = capitalised(noNoun(of))
  // Many are made when their file is loaded, before the words are known.
  return {
    get one() {
      return inWords(of.one)
    },
    get many() {
      return inWords(of.many)
    },
    get a() {
      return inWords(aNoun(of))
    },
    get the() {
      return inWords(theNoun(of))
    },
    get none() {
      return inWords(none)
    },
    get e() {
      return inWords(none).startsWith('Aucune') ? 'e' : ''
    },
  }
}
