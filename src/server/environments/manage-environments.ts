import { openConnections } from '../db/connections.ts'
import { onEmbedded } from './manage-on-embedded.ts'
import { onPostgres } from './manage-on-postgres.ts'
import type { Manager, ManageSettings } from './managed-environments.ts'

/** One of them hears, one holds the lock of who manages. */
const mostConnections = 10

export function openManager(settings: ManageSettings): Manager {
  const connections = settings.databaseUrl
    ? openConnections(settings.databaseUrl, { most: mostConnections })
    : null
  return connections ? onPostgres(settings, connections) : onEmbedded(settings)
}
