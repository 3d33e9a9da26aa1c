import type { Environment } from '../../src/server/db/environment.ts'
import { furnishEnvironment } from '../../src/server/furnish-environment.ts'
import { weakenPasswords } from './weak-passwords.ts'
import { adminPassword, furnishTestLibrary } from './test-library.ts'

/** Brings the test library into an environment, then closes it. */
export async function furnishTemplate(environment: Environment): Promise<void> {
  weakenPasswords()
  try {
    await furnishEnvironment(environment.db, adminPassword)
    await furnishTestLibrary(environment.db)
  } finally {
    await environment.close()
  }
}
