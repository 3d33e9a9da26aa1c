import type { Plugin } from 'vite'

/** What calls say of themselves is for their page, which the server writes: the browser's programs go without. */
export const withoutSummaries = (): Plugin => ({
  name: 'without-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/contract\/[\w-]+\.ts$/ },
    handler: (code) => ({ code: withoutSummariesOf(code), map: null }),
  },
})

export const withoutSummariesOf = (code: string): string =>
  code.replaceAll(/\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g, "summary: ''")
