/** A record as a choice of a field. */
export const asChoice = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })

/** The words of a field's values, as its choices. */
export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** Of values that are words themselves. */
export const sameChoices = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
