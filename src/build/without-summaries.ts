import type { Plugin } from 'vite'

/** Leaves the summaries of calls out of the browser's programs, because only the server shows them, on its page of calls. */
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
  code.replaceAll(/\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?/g, '')
