import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The catalogue stays among the sources, so it is searched upward from src/server and from dist/server. */
export function getCatalogueFile(): string {
  const path = join('src', 'server', 'demonstration', 'data', 'catalogue_toulouse.csv')
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, path))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`Le catalogue de démonstration (${path}) est introuvable.`)
    directory = parent
  }
  return join(directory, path)
}
