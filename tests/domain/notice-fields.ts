export type Written = readonly [tag: string, ...parts: string[]]

/** « a Titre » is subfield a. */
export const fieldsOf = (...written: Written[]) =>
  written.map(([tag, ...parts]) => ({
    tag,
    subfields: parts.map((part) => ({ code: part.charAt(0), value: part.slice(2) })),
  }))
