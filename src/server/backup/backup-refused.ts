export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError'
}
