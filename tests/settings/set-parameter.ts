import { forgetParameters } from '../../src/server/library-facts/parameters.ts'
import type { TestServer } from '../support/test-server.ts'

/** Gives a parameter a value, at once for every call that follows. */
export async function setParameter(server: TestServer, code: string, value: string): Promise<void> {
  await server.db.updateTable('parameters').set({ value }).where('code', '=', code).execute()
  forgetParameters(server.environment)
}
