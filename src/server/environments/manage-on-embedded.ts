import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { nobodyThere, tooManyEmbedded } from '../backup/environment-hosts.ts'
import { openEnvironment } from '../db/environment.ts'
import { embeddedEnvironmentIds } from '../db/environment-ids.ts'
import type { KnownEnvironment } from '../db/list-environments.ts'
import { changesOf } from './changes-of-one.ts'
import type { Manager, ManageSettings } from './managed-environments.ts'
import { migrateMany } from './migrate-many.ts'

/** Each of them is a process of its own, and so is opened alone, while no server has it. */
export function onEmbedded(settings: ManageSettings): Manager {
  const { dataDir, embeddedLimit } = settings
  const openOne = (id: number) => openEnvironment(settings, id)
  const list = async () => {
    const known: KnownEnvironment[] = []
    for (const id of await embeddedEnvironmentIds(dataDir)) {
      const { name, hosts, close } = await openOne(id)
      await close()
      known.push({ id, name, hosts })
    }
    return known
  }
  const { open, requireKnown, ...changes } = changesOf({ settings, list, open: openOne })
  return {
    list,
    add: (wanted) =>
      changes.add(wanted, async () => {
        const ids = await embeddedEnvironmentIds(dataDir)
        if (ids.length >= embeddedLimit) throw tooManyEmbedded(embeddedLimit)
        return (ids.at(-1) ?? 0) + 1
      }),
    async migrate(_, onProgress) {
      // Opening one to read its name would migrate it.
      const known = (await embeddedEnvironmentIds(dataDir)).map((id) => ({
        id,
        name: `Bibliothèque ${id}`,
        hosts: [],
      }))
      return migrateMany({ known, open: openOne, atOnce: 1, onProgress })
    },
    rename: changes.rename,
    giveHosts: changes.giveHosts,
    within: async (id, work) => {
      await requireKnown(id)
      return open(id, work)
    },
    async remove(id) {
      const [only, ...others] = await embeddedEnvironmentIds(dataDir)
      if (only !== id && !others.includes(id)) throw nobodyThere(id)
      // Refused while a server has it open.
      await open(id, async () => undefined)
      await rm(join(dataDir, 'environments', String(id)), { recursive: true, force: true })
    },
    close: async () => undefined,
  }
}
