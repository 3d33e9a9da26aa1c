import { inflateSync } from 'node:zlib'

export type Rectangle = { x: number; y: number; width: number; height: number }

/** A line and where it begins, from the top left corner of its page to its foot. */
type ReadLine = { text: string; x: number; y: number }

/** A page's size in points, the rectangles that are drawn on it, from its top left corner, and its words. */
export type ReadPage = {
  width: number
  height: number
  rectangles: Rectangle[]
  lines: ReadLine[]
  text: string
}

/** Reads as much of a PDF by pdfkit as its tests ask: its objects stand one after the other, unencrypted. */
export function readPdf(file: Buffer): ReadPage[] {
  const objects = objectsOf(file)
  const fonts = new Map<string, Map<string, string>>()
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1] ?? ''
      fonts.set(name, signsOf(objects.get(unicode)?.stream ?? ''))
    }
  }
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => {
      const [width = 0, height = 0] = (/\/MediaBox \[0 0 ([\d. ]+)\]/.exec(head)?.[1] ?? '')
        .split(' ')
        .map(Number)
      const content = objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '')?.stream ?? ''
      const lines = linesOf(content, fonts, height)
      const text = lines.map((line) => line.text).join('\n')
      return { width, height, rectangles: rectanglesOf(content), lines, text }
    })
}

function objectsOf(file: Buffer): Map<string, { head: string; stream: string }> {
  const text = file.toString('latin1')
  const found = new Map<string, { head: string; stream: string }>()
  for (const [, id = '', body = ''] of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', rest] = body.split(/\nstream\n/, 2)
    const at = body.indexOf('\nstream\n') + '\nstream\n'.length
    const bytes = Buffer.from(body.slice(at, body.lastIndexOf('\nendstream')), 'latin1')
    const isText =
      rest !== undefined && /FlateDecode/.test(head) && !/FontFile|Length1|CIDFontType0C/.test(head)
    found.set(id, { head, stream: isText ? inflateSync(bytes).toString('latin1') : '' })
  }
  return found
}

const rectanglesOf = (content: string): Rectangle[] =>
  [...content.matchAll(/^([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re$/gm)].map((match) => {
    const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number)
    return { x, y, width, height }
  })

/** What each glyph of a font stands for, from its ToUnicode map. */
function signsOf(map: string): Map<string, string> {
  const signs = new Map<string, string>()
  for (const [, from = '', , list = ''] of map.matchAll(/<(\w{4})> <(\w{4})> \[([^\]]*)\]/g)) {
    let glyph = Number.parseInt(from, 16)
    for (const [, units = ''] of list.matchAll(/<([\w ]+)>/g)) {
      const text = units.replaceAll(/(\w{4}) ?/g, (_, unit: string) =>
        String.fromCharCode(Number.parseInt(unit, 16)),
      )
      signs.set((glyph++).toString(16).padStart(4, '0'), text)
    }
  }
  return signs
}

function linesOf(content: string, fonts: Map<string, Map<string, string>>, height: number): ReadLine[] {
  let font = new Map<string, string>()
  let place = { x: 0, y: 0 }
  const lines: ReadLine[] = []
  const signs = /([-\d.]+) ([-\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g
  for (const [, x, y, name, shown] of content.matchAll(signs)) {
    if (x !== undefined) place = { x: Number(x), y: height - Number(y) }
    else if (name !== undefined) font = fonts.get(name) ?? new Map<string, string>()
    else {
      const glyphs = [...(shown ?? '').matchAll(/<(\w*)>/g)].map(([, hex = '']) => hex).join('')
      lines.push({ text: glyphs.replaceAll(/\w{4}/g, (glyph) => font.get(glyph) ?? '?'), ...place })
    }
  }
  return lines
}
