// `npm run doctor` says how the installation is, whether the server runs or not; what is wrong is exit code 1.
import { appVersion } from '../../domain/app-version.ts'
import { textOfChecks } from '../../domain/installation-checks.ts'
import { ConfigurationError, readConfiguration } from '../process/configuration.ts'
import { examine } from './examine.ts'

try {
  const now = new Date()
  const checks = await examine(readConfiguration(process.env), now)
  process.stdout.write(
    `${textOfChecks(checks, { version: appVersion, at: now.toLocaleString('fr-FR', { dateStyle: 'short', timeStyle: 'short' }) })}\n`,
  )
  process.exitCode = checks.some(({ state }) => state === 'wrong') ? 1 : 0
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
