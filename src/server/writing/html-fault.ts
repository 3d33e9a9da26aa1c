export const allowedTags: readonly string[] =
  'h1 h2 h3 h4 p div span br hr blockquote ul ol li a strong b em i u s small table thead tbody tr th td'.split(
    ' ',
  )

const isVoid = (tag: string) => tag === 'br' || tag === 'hr'

/** Why HTML is not well formed, or has in it what no mail may have; null where it is as it should be. */
export function htmlFault(html: string): string | null {
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
