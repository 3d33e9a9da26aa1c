import { CallError } from './call-error.ts'
import { currentConnection } from './connection.ts'

export async function serverFirst<T>(ask: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  if (currentConnection() === 'offline') return otherwise()
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CallError && error.isNoNetwork) return otherwise()
    throw error
  }
}
