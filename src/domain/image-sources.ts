/** Catalogues that may have the cover of a code. */
export const outsideSources = ['bnf', 'openlibrary'] as const
export type OutsideSource = (typeof outsideSources)[number]

/** What a medium's rule is made of, in order; `none` is the icon of the medium. */
export const imageSources = ['own', ...outsideSources, 'none'] as const
export type ImageSource = (typeof imageSources)[number]

/** Its own image is always shown first, and nothing comes after none. */
export const isImageRule = (rule: readonly ImageSource[]): boolean =>
  new Set(rule).size === rule.length &&
  rule.every((source, at) => (source === 'own' ? at === 0 : source !== 'none' || at === rule.length - 1))

/** Where an image is sought for a reference that has none. */
export const outsideOf = (rule: readonly ImageSource[] | null): OutsideSource[] =>
  (rule ?? []).filter((source) => source !== 'own' && source !== 'none')
