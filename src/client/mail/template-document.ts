import type { MailSubject } from '../../domain/mail-occasions.ts'
import { wordsOfPiece } from '../../domain/mail-variables.ts'

/** A template as an editor shows it: text, and pieces of liquid that are taken and left whole. */
type Piece = { text: string } | { code: string }

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

/** What a mail may have in it (server/writing/render-template.ts). */
const kept = new Set(
  'h1 h2 h3 h4 p div br hr blockquote ul ol li a strong b em i u s small table thead tbody tr th td'.split(
    ' ',
  ),
)
const isAddress = (href: string) => /^(?:https?:|mailto:|tel:)/i.test(href)

/** Gives the caret a place beside a piece; never part of a text. */
export const caretRest = '\u200b'

/** `about` is null for a text without variables, whose braces are signs like others. */
type HowWritten = { about: MailSubject | null; isLine: boolean }

/** Draws a template into an element, each piece of liquid as a chip that no key gets into. */
export function drawTemplate(into: HTMLElement, content: string, how: HowWritten): void {
  into.replaceChildren()
  const { about } = how
  const pieces = about === null ? [{ text: content }] : piecesOf(content)
  const chip = (code: string) => (about === null ? document.createElement('span') : chipOf(code, about))
  if (how.isLine) {
    for (const piece of pieces) into.append('code' in piece ? chip(piece.code) : piece.text)
  } else {
    const codes: string[] = []
    const html = pieces.map((piece) => htmlOf(piece, codes)).join('')
    // Nothing of an inert document runs or is fetched.
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    copyInto(into, body, (place) => chip(codes[place] ?? ''))
  }
  restCarets(into)
}

const htmlOf = (piece: Piece, codes: string[]): string =>
  'text' in piece ? piece.text : `<x-piece data-at="${codes.push(piece.code) - 1}"></x-piece>`

function copyInto(into: Node, from: Node, chipAt: (place: number) => HTMLElement): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) into.appendChild(document.createTextNode(node.textContent ?? ''))
    if (!(node instanceof Element)) continue
    const tag = node.tagName.toLowerCase()
    if (tag === 'x-piece') {
      into.appendChild(chipAt(Number(node.getAttribute('data-at'))))
      // A custom element does not close itself: what follows it may have been read as its content.
      copyInto(into, node, chipAt)
      continue
    }
    if (!kept.has(tag)) {
      copyInto(into, node, chipAt)
      continue
    }
    const copy = document.createElement(tag)
    for (const name of ['href', 'colspan', 'rowspan']) {
      const value = node.getAttribute(name)
      if (value !== null && (name !== 'href' || isAddress(value))) copy.setAttribute(name, value)
    }
    copyInto(copy, node, chipAt)
    into.appendChild(copy)
  }
}

export function chipOf(code: string, about: MailSubject): HTMLElement {
  const chip = document.createElement('span')
  chip.dataset['code'] = code
  chip.contentEditable = 'false'
  chip.setAttribute('contenteditable', 'false')
  chip.textContent = wordsOfPiece(code, about)
  return chip
}

export const isChip = (node: Node | null): boolean => codeOf(node) !== null

const codeOf = (node: Node | null): string | null =>
  node instanceof HTMLElement ? (node.dataset['code'] ?? null) : null

/** A caret can stand before, after and between chips. */
export function restCarets(root: HTMLElement): void {
  for (const chip of root.querySelectorAll('[data-code]')) {
    if (!(chip.previousSibling instanceof Text)) chip.before(caretRest)
    if (!(chip.nextSibling instanceof Text)) chip.after(caretRest)
  }
}

/** What was drawn and changed, as a template again; braces that were typed are no liquid. */
export function readTemplate(root: HTMLElement, { isLine }: Pick<HowWritten, 'isLine'>): string {
  const read = isLine ? lineOf(root).replaceAll(/\s+/g, ' ') : htmlIn(root)
  return read.trim()
}

/** A text without variables as an editor gives it back where nobody writes in it. */
export function asEdited(content: string): string {
  const root = document.createElement('div')
  drawTemplate(root, content, { about: null, isLine: false })
  return readTemplate(root, { isLine: false }).replace(/(?:<br>)+$/, '')
}

function lineOf(node: Node): string {
  return [...node.childNodes]
    .map((child) => {
      const code = codeOf(child)
      if (code !== null) return code
      return child.nodeType === Node.TEXT_NODE
        ? plain(child.textContent ?? '').replaceAll(/\{(?=[{%])/g, '{ ')
        : lineOf(child)
    })
    .join('')
}

const plain = (text: string) => text.replaceAll(caretRest, '')

const escaped = (text: string) =>
  plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\{(?=[{%])/g, '&#123;')

const isBlock = (node: Node | null) =>
  node instanceof HTMLElement && /^(?:P|DIV|LI|UL|OL|H[1-4]|BLOCKQUOTE|TABLE)$/.test(node.tagName)

function htmlIn(node: Node): string {
  return [...node.childNodes].map(htmlOfNode).join('')
}

function htmlOfNode(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? '')
  if (!(node instanceof HTMLElement)) return ''
  const code = codeOf(node)
  if (code !== null) return code
  const tag = node.tagName.toLowerCase()
  // A browser ends a line that is being typed with one that stands for nothing.
  if (tag === 'br') return isLastOfBlock(node) ? '' : '<br>'
  if (tag === 'hr') return '<hr>'
  const inside = htmlIn(node)
  if (!kept.has(tag) || (inside === '' && !isBlock(node) && !/^t[dh]$/.test(tag))) return inside
  // Of an empty line only the line is left.
  if (inside === '' && (tag === 'p' || tag === 'div')) return '<br>'
  if (tag === 'a' && !isAddress(node.getAttribute('href') ?? '')) return inside
  return `<${tag}${attributesOf(node)}>${inside}</${tag}>`
}

const isLastOfBlock = (node: Node): boolean => {
  const rest: Node[] = []
  for (let next = node.nextSibling; next; next = next.nextSibling) rest.push(next)
  return (
    rest.every((one) => one.nodeType === Node.TEXT_NODE && plain(one.textContent ?? '') === '') &&
    (isBlock(node.parentNode) || (node.parentNode as HTMLElement).isContentEditable)
  )
}

const attributesOf = (element: HTMLElement): string =>
  ['href', 'colspan', 'rowspan']
    .flatMap((name) => {
      const value = element.getAttribute(name)
      return value === null ? [] : [` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`]
    })
    .join('')
