/** What an import tells of lines that it takes, in the order of the screen. */
export const remarkKinds = [
  'same_code',
  'homonym',
  'no_bar_code',
  'no_bars',
  'not_lent',
  'loan_dates',
  'cut',
] as const
type RemarkKind = (typeof remarkKinds)[number]

/** Each before the lines that it is told of. */
export const remarkWords: Readonly<Record<RemarkKind, string>> = {
  same_code: 'Même code qu’un autre titre ou un autre tome\u202f: un titre de plus',
  homonym: 'Même nom, mais autre naissance, autre courriel ou autre commune\u202f: un lecteur de plus',
  no_bar_code: 'Exemplaires sans code-barres, qui ne sont pas créés',
  no_bars: 'Codes qui ne pourront pas être imprimés en code-barres',
  not_lent: 'Exemplaires exclus du prêt, qui seront «\u00a0Non Disponible\u00a0»',
  loan_dates: 'Dates de prêt ou de dépôt, qui ne sont pas reprises',
  cut: 'Textes séparés, coupés ou laissés de côté',
}

/** One, of a line: `told` is a French sentence. */
export type Remark = { readonly kind: RemarkKind; readonly told: string }
