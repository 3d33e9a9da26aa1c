import { readLibrary } from '../../offline/known-library.ts'
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

/** In milliseconds: no scan goes on while the server is asked about one, so the device then has the last word. */
export const longestAskMs = 4_000

/** A device that is not ready would call a list empty, so it throws instead. */
export async function ofReadyDevice<T>(tell: () => Promise<T>): Promise<T> {
  if (await readLibrary((library) => Promise.resolve(library !== null))) return tell()
  throw new CallError(0, { message: notReady })
}

const notReady =
  'Hors ligne, et cet appareil n’a pas encore toutes les données de la bibliothèque\u202f: ce qu’il ne connaît pas ne peut être montré.'
