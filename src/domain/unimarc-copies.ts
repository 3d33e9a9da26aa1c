import type { CopyFrame } from './copy-frames.ts'
import { comparableName } from './comparable-name.ts'
import { filled, firstOf, mediumOf, type UnimarcField } from './unimarc.ts'

/** A copy, as it is written. */
export type UnimarcCopy = {
  /** $f */
  readonly bar_code?: string
  /** $k */
  readonly book_number?: string
  /** $b, else $c, else $a; of PMB 996 $v, where 995 names who owns it */
  readonly site?: string
  /** $e, else $d; of PMB 996 $x */
  readonly location?: string
  /** $r: « aa » printed text… */
  readonly medium?: string
  readonly medium_code?: string
  /** $o; of PMB 996 $1 where 995 has none */
  readonly circulation?: string
  /** $q: a adults, j children */
  readonly audience?: 'adult' | 'youth'
  /** $5 of Koha */
  readonly acquired?: string
  /** $p of Koha */
  readonly price?: string
  /** $m and $n, of a loan or of what another library left here */
  readonly lent_on?: string
  readonly due_on?: string
  /** $u, else $z */
  readonly note?: string
  /** False where it is not to be lent. */
  readonly is_lent: boolean
}

type Fields = readonly UnimarcField[]

/** Whose frame the copies of a notice are in, as far as what they hold tells it. */
export function frameOf(fields: Fields): CopyFrame | null {
  if (fields.some((field) => field.tag === '996' && firstOf([field], '996', 'f') !== undefined)) return 'pmb'
  const isOfKoha = fields.some(
    (field) =>
      field.tag === '995' &&
      (/^\d+$/.test(firstOf([field], '995', '9') ?? '') ||
        isDay(firstOf([field], '995', '5')) ||
        /^-?\d+$/.test(firstOf([field], '995', 'o') ?? '')),
  )
  return isOfKoha ? 'koha' : null
}

const isDay = (text = '') => /^\d{4}-?\d{2}-?\d{2}$/.test(text)

/** Not lent by its word, « exclu du prêt » as others call it. */
const keptWords =
  /\b(?:exclu|exclus|consultation|consultable|sur place|usuel|non (?:disponible|pretable|empruntable)|indisponible|perdu|manquant|pilon|retire|desherbe|reparation|reliure)\b/

/** Whether a copy of such a circulation is lent, in default of what the person says. */
export function isLentAs(code: string, frame: CopyFrame): boolean {
  if (frame === 'koha' && /^-?\d+$/.test(code)) return Number(code) === 0
  return code.toLowerCase() !== 'e' && !keptWords.test(comparableName(code))
}

/** The copies of a notice; `lent` is what the person says of each circulation. */
export function unimarcCopies(
  fields: Fields,
  frame: CopyFrame = '995',
  lent: Readonly<Record<string, boolean>> = {},
): UnimarcCopy[] {
  const twins = frame === 'pmb' ? twinsByCode(fields) : null
  return fields
    .filter(({ tag }) => tag === '995')
    .map((field) => {
      const said = (...codes: readonly string[]) =>
        codes.map((code) => firstOf([field], '995', code)).find((value) => value !== undefined)
      const bar_code = said('f')
      const twin = bar_code === undefined ? undefined : twins?.get(bar_code)
      const more = (code: string) => (twin ? firstOf([twin], '996', code) : undefined)
      const type = said('r')
      const audience = ({ a: 'adult', j: 'youth' } as const)[said('q')?.[0] ?? '']
      const circulation = said('o') ?? more('1')
      const flag = more('3')
      const is_lent =
        (circulation !== undefined && Object.hasOwn(lent, circulation) ? lent[circulation] : undefined) ??
        (flag === undefined ? circulation === undefined || isLentAs(circulation, frame) : flag !== '0')
      const isOfKoha = frame === 'koha'
      return {
        ...filled({
          bar_code,
          book_number: said('k'),
          site: more('v') ?? said('b', 'c', 'a'),
          location: more('x') ?? said('e', 'd'),
          medium_code: type,
          medium: mediumOf(`      ${type ?? ''}`) ?? undefined,
          circulation,
          acquired: isOfKoha ? said('5') : undefined,
          price: isOfKoha ? said('p') : undefined,
          lent_on: said('m') ?? more('m'),
          due_on: said('n') ?? more('n'),
          note: said('u', 'z'),
        }),
        ...(audience ? { audience } : {}),
        is_lent,
      }
    })
}

/** What PMB says beside each copy, by its bar code; the first of two that say the same one. */
function twinsByCode(fields: Fields): Map<string, UnimarcField> {
  const twins = new Map<string, UnimarcField>()
  for (const field of fields) {
    const code = field.tag === '996' ? firstOf([field], '996', 'f') : undefined
    if (code !== undefined && !twins.has(code)) twins.set(code, field)
  }
  return twins
}
