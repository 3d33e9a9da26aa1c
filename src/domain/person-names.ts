type Named = { firstname: string; lastname: string }

/** « Alice Martin »: the order in which names are read, but in pickers (file 2, section 9). */
export const fullName = ({ firstname, lastname }: Named): string => `${firstname} ${lastname}`.trim()

/** « Alice Martin (M1) »: the number tells two readers of one name apart. */
export const readerName = (reader: Named & { matricule: string }): string =>
  `${fullName(reader)} (${reader.matricule})`

/** Such a name without its number, and the number; all of it is the name where none is told. */
export function nameAndNumber(name: string): [name: string, number: string | null] {
  const [, own, number] = /^(.+) \(([^()]+)\)$/.exec(name) ?? []
  return own === undefined || number === undefined ? [name, null] : [own, number]
}

/** Whose an account is; the account's own name where nobody's was given. */
export const accountName = (user: Named & { username: string }): string => fullName(user) || user.username

/** « d’Alice », « de Martin ». */
export const ofName = (name: string): string =>
  /^(?:[aàâeéèêëiîïoôöuùûüœh]|y[^aàâeéèêëiîïoôöuùûü])/i.test(name) ? `d’${name}` : `de ${name}`
