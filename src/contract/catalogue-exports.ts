import { listCopies, listReferences } from './catalogue.ts'
import { exportOf } from './files.ts'

// Apart from the lists, which a counter loads and these it does not.

export const exportCopies = exportOf(
  'copies',
  listCopies,
  ['xlsx', 'csv'],
  'Les exemplaires, dans un fichier',
)

export const exportReferences = exportOf(
  'references',
  listReferences,
  ['xlsx', 'csv'],
  'Les références, dans un fichier',
)

export const catalogueExports = [exportCopies, exportReferences]
