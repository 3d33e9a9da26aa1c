/** The first digits of copies' numbers: 3, the library's 15555, the site. */
export const siteCodes = ['3155551', '3155552'] as const
const readerPrefix = '2155550'

/** The nth copy of a site, from 1: its code, six digits and a check digit, as on Codabar labels. */
export const copyNumber = (site: 0 | 1, n: number): string => numbered(siteCodes[site], n)

/** The nth reader's card, from 1; relatives follow the readers. */
export const readerNumber = (n: number): string => numbered(readerPrefix, n)

function numbered(prefix: string, n: number): string {
  const body = prefix + String(n).padStart(6, '0')
  return body + checkDigit(body)
}

function checkDigit(body: string): string {
  const sum = Array.from(body).reduce((total, digit, at) => {
    const weighed = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
