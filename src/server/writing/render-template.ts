import { Liquid, type Template } from 'liquidjs'
import sanitizeHtml from 'sanitize-html'

import { type MailPart, mailParts, mailPartWords } from '../../domain/mail-occasions.ts'

const allowedTags: readonly string[] =
  'h1 h2 h3 h4 p div span br hr blockquote ul ol li a strong b em i u s small table thead tbody tr th td'.split(
    ' ',
  )

const isVoid = (tag: string) => tag === 'br' || tag === 'hr'

/** Why HTML is not well formed, or has in it what no mail may have; null where it is as it should be. */
function htmlFault(html: string): string | null {
  const open: string[] = []
  for (const [whole, closing, name] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)?[^<>]*>?/gi)) {
    const tag = name?.toLowerCase()
    if (tag === undefined || !whole.endsWith('>')) {
      return 'le signe «\u00a0<\u00a0» y est seul\u202f: il commence une balise'
    }
    if (!allowedTags.includes(tag)) return `la balise «\u00a0${tag}\u00a0» n’est pas permise`
    if (isVoid(tag)) continue
    if (closing !== '/') open.push(tag)
    else if (open.pop() !== tag) {
      return `la balise «\u00a0/${tag}\u00a0» ne ferme pas la dernière qui est ouverte`
    }
  }
  const left = open.at(-1)
  return left === undefined ? null : `la balise «\u00a0${left}\u00a0» n’est pas fermée`
}

/** The library's texts, in liquid and HTML except `object`, which is plain text. */
export type MailParts = Record<MailPart, string>
export type RenderedMail = { subject: string; html: string }
/** A template that cannot be read, or never ends, is a problem to tell; nothing is thrown. */
export type Rendering = { ok: true; mail: RenderedMail } | { ok: false; problem: string }
type PartFault = { part: MailPart; problem: string }

const longestSubject = 200
const longestHtml = 200_000

// People write templates, so these reach only their variables, in limited time and memory.
const settings = {
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {},
  parseLimit: 100_000,
  renderLimit: 500,
  memoryLimit: 1_000_000,
}
const htmlEngine = new Liquid({ ...settings, outputEscape: 'escape' })
const textEngine = new Liquid(settings)
// Days are already written for people, and would be misread as American dates.
for (const engine of [htmlEngine, textEngine]) {
  engine.registerFilter('date', (value: unknown) => value)
  // These run an expression on each item without looking at the time; no mail needs them.
  for (const name of Object.keys(engine.filters)) if (name.endsWith('_exp')) delete engine.filters[name]
}

const engineOf = (part: MailPart) => (part === 'object' ? textEngine : htmlEngine)

/** Prepares a template for many mails; whatever its variables hold stays text. */
export function mailRenderer(parts: MailParts): (variables: Record<string, unknown>) => Rendering {
  const render = partsRenderer(parts)
  return (variables) => {
    const rendering = render(variables)
    if (!rendering.ok) return rendering
    const { object, body, details, signing } = rendering.parts
    return { ok: true, mail: written(object, [body, details, signing]) }
  }
}

/** What a mail would say, for somebody to write on: its details are the end of its body. */
type Draft = { object: string; body: string; signing: string }

export function draftOf(
  parts: MailParts,
  variables: Record<string, unknown>,
): { ok: true; draft: Draft } | { ok: false; problem: string } {
  const rendering = partsRenderer(parts)(variables)
  if (!rendering.ok) return rendering
  const { object, body, details, signing } = rendering.parts
  const sections = [body, details].map(cleanHtml).filter((section) => section.trim() !== '')
  return {
    ok: true,
    draft: {
      object: oneLine(object),
      body: sections.length === 1 ? sections.join('') : sections.map((one) => `<div>${one}</div>`).join(''),
      signing: cleanHtml(signing),
    },
  }
}

type RenderedParts = { ok: true; parts: MailParts } | { ok: false; problem: string }

function partsRenderer(parts: MailParts): (variables: Record<string, unknown>) => RenderedParts {
  const parsed = new Map<MailPart, Template[]>()
  const render = (part: MailPart, variables: Record<string, unknown>): string => {
    const engine = engineOf(part)
    const template = parsed.get(part) ?? engine.parse(parts[part])
    parsed.set(part, template)
    const text: unknown = engine.renderSync(template, variables)
    return String(text).replaceAll('\0', '')
  }
  return (variables) => {
    const rendered = { object: '', body: '', details: '', signing: '' }
    for (const part of mailParts) {
      try {
        rendered[part] = render(part, variables)
      } catch (error) {
        return { ok: false, problem: `${mailPartWords[part].toLowerCase()}, ${saidOf(error)}` }
      }
    }
    const { object: _, ...sections } = rendered
    if (Object.values(sections).join('').length > longestHtml) {
      return { ok: false, problem: 'le courriel est trop long' }
    }
    return { ok: true, parts: rendered }
  }
}

const saidOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** What is wrong with each part, tried on variables that are all there: a name that is misspelt is one of them. */
export function faultsOfParts(parts: Partial<MailParts>, variables: Record<string, unknown>): PartFault[] {
  return mailParts.flatMap((part) => {
    const content = parts[part]
    if (content === undefined) return []
    try {
      const text = String(engineOf(part).parseAndRenderSync(content, variables, { strictVariables: true }))
      const problem = part === 'object' ? (oneLine(text) === '' ? 'il ne dit rien' : null) : htmlFault(text)
      return problem === null ? [] : [{ part, problem }]
    } catch (error) {
      return [{ part, problem: saidOf(error) }]
    }
  })
}

/** A mail that somebody wrote by hand: no variable in it, and the same HTML as in templates. */
export const writtenMail = (object: string, sections: readonly string[]): RenderedMail =>
  written(object, sections.map(asHtml))

/** What has no tag is plain text, whose lines stay lines. */
const asHtml = (text: string): string =>
  /<\/?[a-z][^>]*>/i.test(text) ? text : text.replaceAll('<', '&lt;').replaceAll(/\r?\n/g, '<br>')

// A phone would else shrink it, and a mail without any style is read in the smallest letters.
const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
const style = 'font-family:sans-serif;font-size:16px;line-height:1.5;max-width:38em'

function written(object: string, sections: readonly string[]): RenderedMail {
  const html = sections
    .filter((section) => section.trim() !== '')
    .map((section) => `<div style="margin:0 0 1em">${cleanHtml(section)}</div>`)
  return {
    subject: oneLine(object),
    html: `<!doctype html><html lang="fr"><head>${head}</head><body style="${style}">${html.join('\n')}</body></html>`,
  }
}

/** Keeps out what a template itself, or its `raw` filter, would let in; escaping covers the names. */
const cleanHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: [...allowedTags],
    allowedAttributes: { a: ['href'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
  })

// A line break in a subject would begin another header.
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, longestSubject)
