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

/** Whether a module is there, which may come with others. */
export function hasFetched(page: Page, module: string): Promise<boolean> {
  const fileOf = JSON.parse(readFileSync('dist/client-modules.json', 'utf8')) as Record<string, string>
  const file = fileOf[module]
  if (file === undefined) throw new Error(`the build has no ${module}`)
  return page.evaluate(
    (wanted) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(wanted)),
    file,
  )
}
