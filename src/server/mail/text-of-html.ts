import sanitizeHtml from 'sanitize-html'

/** The plain text beside a mail's HTML, which must come from render-template.ts. */
export function textOfHtml(html: string): string {
  const marked = html
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (_, href: string, text: string) =>
      href === text ? text : `${text} (${href})`,
    )
    .replace(/<li>/g, '\n- ')
    .replace(/<br \/>|<\/(?:p|div|ul|ol|tr|table|h[1-4]|blockquote)>/g, '\n')
  return (
    sanitizeHtml(marked, { allowedTags: [], allowedAttributes: {} })
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      // Line by line: a pattern for what ends them takes the square of a long run of spaces.
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}
