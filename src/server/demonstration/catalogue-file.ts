import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Path of the demonstration's catalogue. It stays among the sources, and is not copied by a build: it is looked for from this
 * module upward, so that it is found from src/server/demonstration/ as from dist/server/ of the same repository.
 */
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
