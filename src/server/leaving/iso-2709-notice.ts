import type { WrittenField, WrittenNotice } from '../../domain/written-notice.ts'

const recordEnd = '\u001d'
const fieldEnd = '\u001e'
const subfieldStart = '\u001f'
const longestField = 9999
const longestNotice = 99_999

/** A notice in ISO 2709, in UTF-8. What its format has no room for is left out from its end: the copies first. */
export function iso2709Notice({ leader, fields }: WrittenNotice): Buffer {
  const directory: string[] = []
  const contents: Buffer[] = []
  let start = 0
  for (const field of fields) {
    const content = contentOf(field)
    const after = 24 + 12 * (directory.length + 1) + 1 + start + content.length + 1
    if (content.length > longestField || after > longestNotice) continue
    directory.push(`${field.tag}${padded(content.length, 4)}${padded(start, 5)}`)
    contents.push(content)
    start += content.length
  }
  const base = 24 + 12 * directory.length + 1
  const head = `${padded(base + start + 1, 5)}${leader.slice(5, 10)}22${padded(base, 5)}${leader.slice(17)}`
  return Buffer.concat([
    Buffer.from(`${head}${directory.join('')}${fieldEnd}`, 'latin1'),
    ...contents,
    Buffer.from(recordEnd),
  ])
}

const padded = (number: number, width: number) => String(number).padStart(width, '0')

const contentOf = ({ indicators, value = '', subfields }: WrittenField): Buffer => {
  const parts = subfields.map((part) => `${subfieldStart}${part.code}${plain(part.value)}`)
  return Buffer.from(
    parts.length > 0 ? `${indicators.padEnd(2)}${parts.join('')}${fieldEnd}` : `${plain(value)}${fieldEnd}`,
  )
}

/** Signs that would end a field. */
// oxlint-disable-next-line no-control-regex -- that is what is looked for
const plain = (text: string) => text.replace(/[\u0000-\u0009\u000b-\u001f]/g, ' ')
