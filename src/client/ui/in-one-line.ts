/** « Zola, Émile · R ZOL »: what is not known leaves no gap. */
export const inOneLine = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ')
