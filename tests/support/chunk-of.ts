import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'

/** Whether a page has fetched a module's file, by the manifest because file names tell nothing. */
export async function hasFetched(page: Page, module: string): Promise<boolean> {
  const manifest = JSON.parse(readFileSync('dist/client-manifest.json', 'utf8')) as Record<
    string,
    { file: string }
  >
  const file = manifest[module]?.file
  if (file === undefined) throw new Error(`${module} is no chunk of its own`)
  return page.evaluate(
    (wanted) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(wanted)),
    file,
  )
}
