import type { Context } from 'hono'

/** Sent values beyond which a message is not searched for them, and left out instead. */
const mostValues = 2000

/**
 * What a log may hold of an error: what it is and where it came from, never the values it is about. The database's `detail`, `where`
 * and parameters hold whole rows and stay out; a message keeps its words, without what it quotes and without what the caller sent.
 */
export function loggedError(error: Error, sent: readonly string[] = []): object {
  const known = error as Error & Record<string, unknown>
  const text = (name: string) => (typeof known[name] === 'string' ? { [name]: known[name] } : {})
  return {
    type: error.constructor.name,
    ...text('code'),
    ...text('syscall'),
    ...(isOfDatabase(error) ? { ...text('table'), ...text('column'), ...text('constraint') } : {}),
    message: discreet(error, sent),
    // The message stands above the frames once more.
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause instanceof Error ? { cause: loggedError(error.cause, sent) } : {}),
  }
}

const isOfDatabase = (error: Error) => 'severity' in error && 'routine' in error

function discreet(error: Error, sent: readonly string[]): string {
  if (sent.length > mostValues) return '…'
  let message = error.message
    .replaceAll(/([a-z][a-z\d+.-]*:\/\/)[^\s/]*@/gi, '$1…@')
    .replaceAll(/[^\s<>"'«»(),;:]+@[^\s<>"'«»(),;:]+/g, '…@…')
  // The database quotes its own names, but for data that it could not read (class 22); others quote what they were given.
  const quotesNames =
    isOfDatabase(error) && 'code' in error && !/^(22|P0)/.test(String(error.code)) && !/[«»]/.test(message)
  message = quotesNames
    ? message.replaceAll(/"[^"]*"/g, (name) => (/^"[a-z_][a-z0-9_.]*"$/.test(name) ? name : '"…"'))
    : message.replace(/"[^]*"/, '"…"').replace(/«[^]*»/, '« … »')
  for (const value of sent) message = message.replaceAll(value, '…')
  return message
}

/** The texts of a request, longest first: its body's, its address's, its token. */
export async function sentValues({ req }: Context): Promise<string[]> {
  const values = new Set<string>(Object.values(req.param()))
  for (const value of new URL(req.url).searchParams.values()) values.add(value)
  for (const part of (req.header('authorization') ?? '').split(' ')) values.add(part)
  const body = req.method === 'GET' ? '' : await req.text().catch(() => '')
  values.add(body)
  try {
    JSON.parse(body, (_name, value: unknown) => {
      if (typeof value === 'string') values.add(value)
      return value
    })
  } catch {
    for (const value of new URLSearchParams(body).values()) values.add(value)
  }
  return Array.from(values)
    .filter((value) => value.length >= 3)
    .sort((a, b) => b.length - a.length)
}
