import { ImportFileRefusal } from './import-file.ts'

/** Names are without their prefix. `raw` is the text as it stands in the file; a `fault` is a « < » that begins no element. */
export type XmlEvent =
  | {
      readonly type: 'open'
      readonly name: string
      readonly attributes: string
      readonly isClosed: boolean
      readonly raw: string
    }
  | { readonly type: 'close'; readonly name: string; readonly raw: string }
  | { readonly type: 'text'; readonly text: string; readonly raw: string }
  | { readonly type: 'fault'; readonly raw: string }

/** A tag with its attributes, or an entity, that is longer is no XML of a library. */
const longestTag = 100_000
const longestEntity = 12

const openTag = /^<([^\s<>/="'&]+)(?:\s([^]*?))?(\/?)>$/
const closeTag = /^<\/([^\s<>/]+)\s*>$/

/**
 * Cuts XML into events, piece by piece, as fast as they are asked for: nothing is kept but the tag that a piece's end cuts.
 * Types and entities of a document's own are refused, so that no text grows beyond what the file holds.
 */
export async function* xmlEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<readonly XmlEvent[], void, undefined> {
  const state: State = { buffer: '', skipTo: null }
  for await (const piece of pieces) {
    state.buffer += piece
    const events = take(state, false)
    if (events.length > 0) yield events
  }
  const events = take(state, true)
  if (events.length > 0) yield events
}

type State = {
  buffer: string
  /** The end of a comment or an instruction, or of a text that is as it stands. */ skipTo:
    '-->' | '?>' | ']]>' | null
}

function take(state: State, isLast: boolean): XmlEvent[] {
  const events: XmlEvent[] = []
  const { buffer } = state
  let at = 0
  while (at < buffer.length) {
    const next = state.skipTo === null ? takeOne(state, at, isLast, events) : skip(state, at, isLast, events)
    if (next === at) break
    at = next
  }
  state.buffer = buffer.slice(at)
  if (state.buffer.length > longestTag) throw malformed()
  return events
}

function skip(state: State, at: number, isLast: boolean, events: XmlEvent[]): number {
  const { buffer, skipTo } = state
  const end = buffer.indexOf(skipTo!, at)
  const to = end >= 0 ? end : isLast ? buffer.length : Math.max(at, buffer.length - 2)
  if (skipTo === ']]>' && to > at) {
    const raw = buffer.slice(at, to)
    events.push({ type: 'text', text: raw, raw: escapeText(raw) })
  }
  if (end < 0) return to
  state.skipTo = null
  return end + skipTo!.length
}

function takeOne(state: State, at: number, isLast: boolean, events: XmlEvent[]): number {
  const { buffer } = state
  if (buffer[at] !== '<') {
    const end = buffer.indexOf('<', at)
    const to = end >= 0 || isLast ? (end >= 0 ? end : buffer.length) : beforeEntity(buffer, at)
    if (to === at) return at
    const raw = buffer.slice(at, to)
    events.push({ type: 'text', text: unescapeText(raw), raw })
    return to
  }
  if (!isLast && buffer.length - at < 9) return at
  for (const [start, end] of [
    ['<!--', '-->'],
    ['<?', '?>'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    if (!buffer.startsWith(start, at)) continue
    state.skipTo = end
    return at + start.length
  }
  if (buffer.startsWith('<!', at)) {
    throw new ImportFileRefusal(
      'Ce fichier XML apporte ses propres définitions (DOCTYPE)\u202f: par prudence, il n’est pas lu.',
    )
  }
  const end = tagEnd(buffer, at)
  if (end === 'cut') return isLast ? fault(buffer, at, buffer.length, events) : at
  if (typeof end === 'object') return fault(buffer, at, end.fault, events)
  const raw = buffer.slice(at, end)
  const [, closed] = closeTag.exec(raw) ?? []
  if (closed !== undefined) {
    events.push({ type: 'close', name: local(closed), raw })
    return end
  }
  const [, name, attributes = '', slash] = openTag.exec(raw) ?? []
  if (name === undefined) return fault(buffer, at, end, events)
  events.push({ type: 'open', name: local(name), attributes, isClosed: slash === '/', raw })
  return end
}

function fault(buffer: string, from: number, to: number, events: XmlEvent[]): number {
  events.push({ type: 'fault', raw: buffer.slice(from, to) })
  return to
}

/** After the « > » that no quotation marks hold; where another « < » comes first, that is none. */
function tagEnd(buffer: string, at: number): number | 'cut' | { fault: number } {
  let quote = ''
  for (let to = at + 1; to < buffer.length; to += 1) {
    const sign = buffer[to]!
    if (quote !== '') {
      if (sign === quote) quote = ''
      else if (sign === '<') return { fault: to }
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return to + 1
    else if (sign === '<') return { fault: to }
  }
  return 'cut'
}

/** An entity that a piece's end cuts waits for its rest. */
function beforeEntity(buffer: string, at: number): number {
  const entity = buffer.lastIndexOf('&')
  return entity >= at && buffer.length - entity < longestEntity && !buffer.includes(';', entity)
    ? entity
    : buffer.length
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities of XML and numbers; what is no sign becomes U+FFFD, another name stays as it stands. */
const unescapeText = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
        (whole, hex?: string, digits?: string, name?: string) =>
          name === undefined
            ? signOf(hex === undefined ? Number(digits) : Number.parseInt(hex, 16))
            : (named[name] ?? whole),
      )
    : text

const signOf = (code: number) =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const attributeForms = new Map<string, RegExp>()

/** By its name without prefix; undefined where it is not said. */
export function attribute(attributes: string, name: string): string | undefined {
  if (attributes === '') return undefined
  let form = attributeForms.get(name)
  if (!form) {
    form = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    attributeForms.set(name, form)
  }
  const found = form.exec(attributes)
  const text = found?.[1] ?? found?.[2]
  return text === undefined ? undefined : unescapeText(text)
}

export const malformed = () =>
  new ImportFileRefusal('Ce fichier XML est mal formé\u202f: sa suite ne peut pas être lue.')
