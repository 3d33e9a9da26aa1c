import { Liquid, type Template } from 'liquidjs'
import sanitizeHtml from 'sanitize-html'

/** The library's texts, in liquid and HTML except `object`, which is plain text. */
export type MailParts = Record<'object' | 'body' | 'details' | 'signing', string>
export type RenderedMail = { subject: string; html: string }
/** A template that cannot be read, or never ends, is a problem to tell; nothing is thrown. */
export type Rendering = { ok: true; mail: RenderedMail } | { ok: false; problem: string }

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
for (const engine of [htmlEngine, textEngine]) engine.registerFilter('date', (value: unknown) => value)

const partNames = { object: 'objet', body: 'corps', details: 'détails', signing: 'signature' } as const
const partKeys = ['object', 'body', 'details', 'signing'] as const

/** Prepares a template for many mails; whatever its variables hold stays text. */
export function mailRenderer(parts: MailParts): (variables: Record<string, unknown>) => Rendering {
  const parsed = new Map<keyof MailParts, Template[]>()
  const render = (part: keyof MailParts, variables: Record<string, unknown>): string => {
    const engine = part === 'object' ? textEngine : htmlEngine
    const template = parsed.get(part) ?? engine.parse(parts[part])
    parsed.set(part, template)
    const text: unknown = engine.renderSync(template, variables)
    return String(text)
  }
  return (variables) => {
    const rendered: string[] = []
    for (const part of partKeys) {
      try {
        rendered.push(render(part, variables))
      } catch (error) {
        return {
          ok: false,
          problem: `${partNames[part]}, ${error instanceof Error ? error.message : String(error)}`,
        }
      }
    }
    const [object = '', ...sections] = rendered
    if (sections.join('').length > longestHtml) return { ok: false, problem: 'le courriel est trop long' }
    const html = sections
      .filter((section) => section.trim() !== '')
      .map((section) => `<div>${cleanHtml(section)}</div>`)
    return {
      ok: true,
      mail: {
        subject: oneLine(object),
        html: `<!doctype html><html lang="fr"><head><meta charset="utf-8"></head><body>${html.join('\n')}</body></html>`,
      },
    }
  }
}

const allowedTags =
  'h1 h2 h3 h4 p div span br hr blockquote ul ol li a strong b em i u s small table thead tbody tr th td'.split(
    ' ',
  )

/** Keeps out what a template itself, or its `raw` filter, would let in; escaping covers the names. */
const cleanHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags,
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
