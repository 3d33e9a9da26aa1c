import { connect } from 'node:net'

/** Where tests make their databases on PostgreSQL; TEST_DATABASE_URL names another server. */
export const postgresAddress =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Whether something listens there. */
export function isPostgresReachable(): Promise<boolean> {
  const { hostname, port } = new URL(postgresAddress)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 5432), timeout: 3000 })
    const end = (isReachable: boolean) => {
      socket.destroy()
      resolve(isReachable)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
