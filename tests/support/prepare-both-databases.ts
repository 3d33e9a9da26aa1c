import type { TestProject } from 'vitest/node'

import { isPostgresReachable } from './postgres-address.ts'
import { prepareOn } from './prepare-databases.ts'

/** An environment on each engine, for product servers on either (running-server.ts). */
export default async function prepareBothDatabases(project: TestProject): Promise<() => Promise<void>> {
  const drops = [
    await prepareOn(project, false),
    (await isPostgresReachable()) ? await prepareOn(project, true) : undefined,
  ]
  return async () => {
    for (const drop of drops) await drop?.()
  }
}
