import { inWords } from '../page/house-words.ts'

/** A kind of thing in sentences; `e` ends its participles. */
export type Noun = { one: string; many: string; a: string; the: string; none: string; e: '' | 'e' }

/** Such as « un emplacement », « l’emplacement », « emplacements », « Aucun emplacement ». */
export function nounOf(one: string, gender: 'm' | 'f', many = `${one}s`): Noun {
  const isFeminine = gender === 'f'
  const isElided = /^[aeiouyéèêh]/i.test(one)
  const a = `${isFeminine ? 'une' : 'un'} ${one}`
  const the = isElided ? `l’${one}` : `${isFeminine ? 'la' : 'le'} ${one}`
  const none = `${isFeminine ? 'Aucune' : 'Aucun'} ${one}`
  // Many are made when their file is loaded, before the words are known.
  return {
    get one() {
      return inWords(one)
    },
    get many() {
      return inWords(many)
    },
    get a() {
      return inWords(a)
    },
    get the() {
      return inWords(the)
    },
    get none() {
      return inWords(none)
    },
    get e() {
      return inWords(none).startsWith('Aucune') ? 'e' : ''
    },
  }
}
