import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const claimed = /^lock-[0-9a-f]+$/

export interface DataDirectoryLock {
  release(): Promise<void>
}

export class DataDirectoryBusyError extends Error {
  override readonly name = 'DataDirectoryBusyError'
  constructor(directory: string) {
    super(
      `Le répertoire de données «\u00a0${directory}\u00a0» est déjà utilisé par un autre processus de Comptoir. ` +
        'Arrêtez-le, ou choisissez un autre répertoire.',
    )
  }
}

/**
 * Waits `patience` ms for a closing holder; throws DataDirectoryBusyError. The lock is a socket, because
 * process numbers mean nothing between containers; a claimant publishes a new one before it looks for others,
 * so of two at least one withdraws.
 */
export async function lockDataDirectory(directory: string, patience = 5000): Promise<DataDirectoryLock> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const home = realpathSync(directory)
  const deadline = Date.now() + patience
  for (;;) {
    const lock = process.platform === 'win32' ? await claimPipe(home) : await claim(home)
    if (lock !== null) return lock
    if (Date.now() > deadline) throw new DataDirectoryBusyError(directory)
    // The pause is random, so that two claimants that withdrew for each other do not meet again.
    await delay(20 + Math.random() * 130)
  }
}

async function claim(home: string): Promise<DataDirectoryLock | null> {
  const name = `lock-${randomBytes(8).toString('hex')}`
  const unpublished = `new-${name}`
  const server = await listen(() => inside(home, () => acceptNobody().listen(unpublished)))
  const release = async () => {
    rmSync(join(home, name), { force: true })
    await close(server)
  }
  // It is renamed once it listens, because a socket that does not listen yet looks dead.
  renameSync(join(home, unpublished), join(home, name))
  for (const other of readdirSync(home)) {
    if (other === name || !claimed.test(other)) continue
    if (await isAlive(home, other)) {
      await release()
      return null
    }
    rmSync(join(home, other), { force: true })
  }
  if (!existsSync(join(home, name))) throw new Error(`Le verrou de «\u00a0${home}\u00a0» a été effacé.`)
  return { release }
}

/** On Windows a named pipe has one owner and disappears with it. */
async function claimPipe(home: string): Promise<DataDirectoryLock | null> {
  const pipe = `\\\\.\\pipe\\comptoir-${createHash('sha256').update(home.toLowerCase()).digest('hex')}`
  try {
    const server = await listen(() => acceptNobody().listen(pipe))
    return { release: () => close(server) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
}

function isAlive(home: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = inside(home, () => createConnection(name))
    const answer = (alive: boolean) => {
      socket.destroy()
      resolve(alive)
    }
    socket.once('connect', () => answer(true))
    // Any other error (rights, a full queue) may hide a live holder.
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      answer(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    )
  })
}

/** Binds and connects from inside the directory, for a socket's path has about 100 characters at most. */
function inside<T>(directory: string, act: () => T): T {
  const before = process.cwd()
  process.chdir(directory)
  try {
    return act()
  } finally {
    process.chdir(before)
  }
}

function acceptNobody(): Server {
  return createServer((socket) => socket.destroy())
}

function listen(start: () => Server): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = start()
    server.once('listening', () => resolve(server))
    server.once('error', reject)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
