import type { Environment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { weakenPasswords } from './weak-passwords.ts'
import { adminPassword, seedTestLibrary } from './test-library.ts'

/** Brings the test library into an environment, then closes it. */
export async function seedTemplate(environment: Environment): Promise<void> {
  weakenPasswords()
  try {
    await seedEnvironment(environment.db, adminPassword)
    await seedTestLibrary(environment.db)
  } finally {
    await environment.close()
  }
}
