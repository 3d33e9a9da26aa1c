import type { Migration } from 'kysely'

import * as circulation from './0001-circulation.ts'

/** Forward only, applied in the order of their names; one that has shipped is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-circulation': circulation,
}
