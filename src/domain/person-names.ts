type Named = { firstname: string; lastname: string }

/** « Alice Martin ». */
export const fullName = ({ firstname, lastname }: Named): string => `${firstname} ${lastname}`.trim()

export const readerName = (reader: Named & { matricule: string }): string =>
  reader.matricule === '' ? fullName(reader) : `${fullName(reader)} (${reader.matricule})`

/** Splits what `readerName` made; null where there is no number. */
export function nameAndNumber(name: string): [name: string, number: string | null] {
  const [, own, number] = /^(.+) \(([^()]+)\)$/.exec(name) ?? []
  return own === undefined || number === undefined ? [name, null] : [own, number]
}

/** « AM » for « Alice Martin (M1) ». */
export function initialsOf(name: string): string {
  const words = nameAndNumber(name)[0].match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}’'.-]*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => /^./u.exec(word ?? '')?.[0].toUpperCase()).join('')
}

/** A reader of another site is told without a number, and leads nowhere. */
export const isNamed = (name: string): boolean => name.endsWith(')')

export const accountName = (user: Named & { username: string }): string => fullName(user) || user.username

/** « d’Alice », « de Martin ». */
export const ofName = (name: string): string =>
  /^(?:[aàâeéèêëiîïoôöuùûüœh]|y[^aàâeéèêëiîïoôöuùûü])/i.test(name) ? `d’${name}` : `de ${name}`
