import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'

/** The file of a module that is loaded by itself, by the manifest because file names tell nothing. */
export function chunkOf(module: string): string {
  const manifest = JSON.parse(readFileSync('dist/client-manifest.json', 'utf8')) as Record<
    string,
    { file: string }
  >
  const file = manifest[module]?.file
  if (file === undefined) throw new Error(`${module} is no chunk of its own`)
  return file
}

export function hasFetched(page: Page, module: string): Promise<boolean> {
  return page.evaluate(
    (wanted) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(wanted)),
    chunkOf(module),
  )
}
