/** Codes of the two sites, with which their copies' numbers begin: 3, then the library's 15555, then the site. */
export const siteCodes = ['3155551', '3155552'] as const
const readerPrefix = '2155550'

/** Number of the nth copy (from 1) of a site (0 or 1): its code, six digits, the check digit. 14 digits, as Codabar labels have. */
export const copyNumber = (site: 0 | 1, n: number): string => numbered(siteCodes[site], n)

/** Number on the card of the nth reader (from 1); relatives follow the readers. */
export const readerNumber = (n: number): string => numbered(readerPrefix, n)

function numbered(prefix: string, n: number): string {
  const body = prefix + String(n).padStart(6, '0')
  return body + checkDigit(body)
}

/** Mod 10 over 13 digits, every other one doubled from the first; see `isLibraryNumber` of the domain, which reads it. */
function checkDigit(body: string): string {
  const sum = Array.from(body).reduce((total, digit, at) => {
    const weighed = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
