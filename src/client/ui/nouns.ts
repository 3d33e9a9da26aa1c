/** A kind of thing in sentences; `e` ends its participles. */
export type Noun = { one: string; many: string; a: string; the: string; none: string; e: '' | 'e' }

/** Such as « un emplacement », « l’emplacement », « emplacements », « Aucun emplacement ». */
export function nounOf(one: string, gender: 'm' | 'f', many = `${one}s`): Noun {
  const isFeminine = gender === 'f'
  const isElided = /^[aeiouyéèêh]/i.test(one)
  return {
    one,
    many,
    a: `${isFeminine ? 'une' : 'un'} ${one}`,
    the: isElided ? `l’${one}` : `${isFeminine ? 'la' : 'le'} ${one}`,
    none: `${isFeminine ? 'Aucune' : 'Aucun'} ${one}`,
    e: isFeminine ? 'e' : '',
  }
}
