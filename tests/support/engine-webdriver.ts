import { once } from 'node:events'
import { connect } from 'node:net'

// W3C WebDriver over HTTP for WebKit and over Firefox's own socket, because Debian has no geckodriver.

const commands = {
  newSession: ['POST', '', 'WebDriver:NewSession'],
  goTo: ['POST', '/url', 'WebDriver:Navigate'],
  run: ['POST', '/execute/sync', 'WebDriver:ExecuteScript'],
  act: ['POST', '/actions', 'WebDriver:PerformActions'],
  resize: ['POST', '/window/rect', 'WebDriver:SetWindowRect'],
  picture: ['GET', '/screenshot', 'WebDriver:TakeScreenshot'],
} as const

export type Send = (command: keyof typeof commands, parameters?: object) => Promise<unknown>

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/** Asks a driver that listens at an address of this machine. */
export function overHttp(address: string): Send {
  let session = ''
  return async (command, parameters = {}) => {
    const [method, path] = commands[command]
    const response = await fetch(`${address}/session${session}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    })
    const value = fieldOf(await response.json(), 'value')
    if (!response.ok) throw new Error(`${command}: ${JSON.stringify(value)}`)
    if (command === 'newSession') session = `/${String(fieldOf(value, 'sessionId'))}`
    return value
  }
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/** Sends `length:[0, id, command, parameters]` and reads `length:[1, id, error, result]`. */
export async function overMarionette(port: number): Promise<Send> {
  const socket = connect(port, '127.0.0.1')
  const waiting = new Map<number, Waiting>()
  let bytes = Buffer.alloc(0)
  let greet: () => void = () => undefined
  const greeted = new Promise<void>((resolve) => {
    greet = resolve
  })
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let message = take(); message !== undefined; message = take()) {
      if (!Array.isArray(message)) greet()
      else settle(Number(message[1]), message[2], message[3])
    }
  })
  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended'))
    waiting.clear()
  }
  socket.on('error', end).on('close', end)
  await once(socket, 'connect')
  await greeted

  let sent = 0
  return (command, parameters = {}) => {
    const id = (sent += 1)
    const text = JSON.stringify([0, id, commands[command][2], parameters])
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
  }

  /** The first whole message of what came so far. */
  function take(): unknown {
    const colon = bytes.indexOf(':')
    const end = colon + 1 + Number(bytes.subarray(0, Math.max(colon, 0)).toString())
    if (colon < 0 || bytes.length < end) return undefined
    const message: unknown = JSON.parse(bytes.subarray(colon + 1, end).toString())
    bytes = bytes.subarray(end)
    return message
  }

  function settle(id: number, error: unknown, result: unknown): void {
    const asked = waiting.get(id)
    waiting.delete(id)
    const value = fieldOf(result, 'value')
    if (error) asked?.reject(new Error(JSON.stringify(error)))
    else asked?.resolve(value === undefined ? result : value)
  }
}

const special = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C' } as const
export type Key = keyof typeof special

/** A page in the hands of what drives it. */
export type Driven = {
  goTo(url: string): Promise<void>
  /** The body of a function, and what it returns. */
  run(script: string): Promise<unknown>
  click(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  /** As fast as a hand-held scanner types, Enter with it. */
  scan(code: string): Promise<void>
  key(key: Key): Promise<void>
  picture(): Promise<Buffer>
}

/** A page of such an engine, in a window whose page is of that size. */
export async function drive(
  send: Send,
  { width, height }: { width: number; height: number },
): Promise<Driven> {
  const act = (...actions: object[]) => send('act', { actions })
  const keys = (typed: readonly string[]) =>
    act({
      type: 'key',
      id: 'keys',
      actions: typed.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    })
  const run = (script: string) => send('run', { script, args: [] })
  // The window is larger than the page by its bars, and each engine has its own.
  await send('resize', { x: 0, y: 0, width, height })
  const bars = Number(await run('return outerHeight - innerHeight'))
  await send('resize', { x: 0, y: 0, width, height: height + bars })
  return {
    goTo: async (url) => void (await send('goTo', { url })),
    run,
    click: async (x, y) =>
      void (await act({
        type: 'pointer',
        id: 'hand',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      })),
    type: async (text) => void (await keys(Array.from(text))),
    scan: async (code) => void (await keys([...Array.from(code), special.Enter])),
    key: async (key) => void (await keys([special[key]])),
    picture: async () => Buffer.from(String(await send('picture', { full: false })), 'base64'),
  }
}
