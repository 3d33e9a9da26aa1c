/** Widths of bars and spaces in modules, by value (ISO/IEC 15417, table 1); the last is the stop. */
const widths =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231
113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121
211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124
121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241
114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141
114131 311141 411131 211412 211214 211232 2331112`.split(/\s+/)

const codeC = 99
const codeB = 100
const startB = 104
const startC = 105
const stop = 106

/** Widths in modules of bars and spaces in turn, a bar first; null for signs that have no bars here. */
export function code128(text: string): number[] | null {
  if (!/^[\u0020-\u007e]+$/.test(text)) return null
  const values = valuesOf(text)
  const check = values.reduce((sum, value, at) => sum + value * Math.max(at, 1), 0) % 103
  return [...values, check, stop].flatMap((value) => Array.from(widths[value] ?? '', Number))
}

/** Pairs of digits take half the room in set C, which is worth its change from four digits on. */
function valuesOf(text: string): number[] {
  const values: number[] = []
  let set: 'B' | 'C' | null = null
  const change = (to: 'B' | 'C') => {
    if (set === null) values.push(to === 'C' ? startC : startB)
    else if (set !== to) values.push(to === 'C' ? codeC : codeB)
    set = to
  }
  for (let at = 0; at < text.length;) {
    const digits = /^\d*/.exec(text.slice(at))?.[0].length ?? 0
    // An odd digit goes first in set B, so that the pairs reach to the end.
    const pairs = digits >= 4 && digits % 2 === 0 ? digits : 0
    if (pairs > 0) {
      change('C')
      for (const end = at + pairs; at < end; at += 2) values.push(Number(text.slice(at, at + 2)))
    } else {
      change('B')
      values.push(text.charCodeAt(at) - 32)
      at += 1
    }
  }
  return values
}
