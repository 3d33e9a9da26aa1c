/** A UNIMARC notice in ISO 2709 and UTF-8, made here. */
export function notice(of: {
  title: string
  author?: readonly [string, string]
  isbn?: string
  copies?: readonly Record<string, string>[]
}): Buffer {
  const fields: [tag: string, value: string][] = [
    ...(of.isbn ? ([['010', sub({ a: of.isbn })]] as [string, string][]) : []),
    ['200', `1 ${parts({ a: of.title })}`],
    ...(of.author
      ? ([['700', ` 1${parts({ a: of.author[0], b: of.author[1], 4: '070' })}`]] as [string, string][])
      : []),
    ...(of.copies ?? []).map((copy): [string, string] => ['995', sub(copy)]),
  ]
  let directory = ''
  let at = 0
  const bodies = fields.map(([tag, value]) => {
    const bytes = Buffer.from(`${value}\u001e`)
    directory += tag + String(bytes.length).padStart(4, '0') + String(at).padStart(5, '0')
    at += bytes.length
    return bytes
  })
  const base = 24 + directory.length + 1
  const length = base + at + 1
  const leader = `${String(length).padStart(5, '0')}nam  22${String(base).padStart(5, '0')}   450 `
  return Buffer.concat([Buffer.from(`${leader}${directory}\u001e`), ...bodies, Buffer.from('\u001d')])
}

const parts = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([code, value]) => `\u001f${code}${value}`)
    .join('')
const sub = (values: Record<string, string>) => `  ${parts(values)}`
