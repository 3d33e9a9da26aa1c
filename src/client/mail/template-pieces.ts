/** A template as an editor shows it: text, and pieces of liquid that are taken and left whole. */
export type Piece = { text: string } | { code: string }

const opens = ['for', 'if', 'unless', 'case', 'capture', 'tablerow', 'raw', 'comment']

/** Cuts a template at its pieces; what is no liquid, or is left open, stays text. */
export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let at = 0
  while (at < content.length) {
    const end = endOfPiece(content, at)
    if (end === null) {
      at += 1
      continue
    }
    if (at > from) pieces.push({ text: content.slice(from, at) })
    pieces.push({ code: content.slice(at, end) })
    at = from = end
  }
  if (content.length > from) pieces.push({ text: content.slice(from) })
  return pieces
}

/** Where the piece that begins here ends, or null where none does. */
function endOfPiece(content: string, at: number): number | null {
  if (content.startsWith('{{', at)) return after(content, '}}', at)
  if (content.startsWith('{%', at)) return endOfBlock(content, at)
  if (content[at] !== '<') return null
  const rest = content.slice(at)
  // A link to a variable, and a list of which a loop is all there is.
  const link = /^<a\b[^<>]*\{\{[^<>]*>[\s\S]*?<\/a>/.exec(rest)
  if (link) return at + link[0].length
  const list = /^<(ul|ol|table|tbody)>\s*(?=\{%)/.exec(rest)
  if (!list) return null
  const end = endOfBlock(content, at + list[0].length)
  const closing = end === null ? null : new RegExp(`^\\s*</${list[1]}>`).exec(content.slice(end))
  return end === null || closing === null ? null : end + closing[0].length
}

function after(content: string, sign: string, at: number): number | null {
  const found = content.indexOf(sign, at)
  return found === -1 ? null : found + sign.length
}

function endOfBlock(content: string, at: number): number | null {
  const tags = /\{%-?\s*(\w+)[\s\S]*?%\}/g
  tags.lastIndex = at
  const open: string[] = []
  for (let tag = tags.exec(content); tag; tag = tags.exec(content)) {
    // Only the tag that begins here may be the first.
    if (open.length === 0 && tag.index !== at) return null
    const [whole, name = ''] = tag
    if (name.startsWith('end')) {
      if (open.pop() !== name.slice(3)) return null
    } else if (opens.includes(name)) open.push(name)
    if (open.length === 0) return tag.index + whole.length
  }
  return null
}
