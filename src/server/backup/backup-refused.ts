/** A backup or a restore that is not done, and why. The message is for the terminal. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError'
}
