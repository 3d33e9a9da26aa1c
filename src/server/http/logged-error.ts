import type { Context } from 'hono'

/** With more values a message is left out, because searching it for each would take too long. */
const mostValues = 2000

/** An error for the log, without rows, parameters, quoted words or anything else that the caller sent. */
export function loggedError(error: Error, sent: readonly string[] = []): object {
  const known = error as Error & Record<string, unknown>
  const text = (name: string) => (typeof known[name] === 'string' ? { [name]: known[name] } : {})
  return {
    type: error.constructor.name,
    ...text('code'),
    ...text('syscall'),
    ...(isOfDatabase(error) ? { ...text('table'), ...text('column'), ...text('constraint') } : {}),
    message: discreet(error, sent),
    // The stack repeats the message before its frames.
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
  // The database quotes its own names except in class 22 (unreadable data); others quote their input.
  const quotesNames =
    isOfDatabase(error) && 'code' in error && !/^(22|P0)/.test(String(error.code)) && !/[«»]/.test(message)
  message = quotesNames
    ? message.replaceAll(/"[^"]*"/g, (name) => (/^"[a-z_][a-z0-9_.]*"$/.test(name) ? name : '"…"'))
    : message.replace(/"[^]*"/, '"…"').replace(/«[^]*»/, '« … »')
  for (const value of sent) message = message.replaceAll(value, '…')
  return message
}

/** A request's texts (body, address, token), longest first. */
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
