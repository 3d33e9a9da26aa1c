import { lookup } from 'node:dns'
import { type IncomingMessage, request as askPlainly } from 'node:http'
import { request as askSecurely } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks of this machine, of its neighbours, and of nobody. */
const closed = new BlockList()
const closedTo: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['::ffff:0:0:0', 96],
  ['2001::', 32],
  ['fc00::', 7],
  ['fec0::', 10],
  ['fe80::', 10],
  ['ff00::', 8],
]
for (const [network, bits] of closedTo) {
  closed.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4')
}

/** False for whatever is no address at all. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && !closed.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Resolves for the connection itself, so that no second answer leads elsewhere. */
const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    const first = found?.[0]
    if (error ?? !first) return callback(error ?? new Error(`${host} has no address`), '')
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error(`${host} is no public address`), '')
    }
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })

const mostRedirects = 3

type Outside = {
  /** Hosts with their ports that the configuration names: they may be on this very machine. */
  own: readonly string[]
  /** Other hosts, asked over HTTPS at public addresses alone; `.name` stands for all below that name. */
  others?: readonly string[]
  accept: string
  mostBytes: number
  /** Nothing that it leads to is asked for in clear. */
  staysSecure?: true
  signal: AbortSignal
}

/** What is asked or answered is never to be taken, however often it is asked again. */
export class RefusedOutsideError extends Error {
  override name = 'RefusedOutsideError'
}

export class OutsideStatusError extends Error {
  override name = 'OutsideStatusError'
  readonly status: number
  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** The bytes of an address, following redirects among the hosts that are allowed; throws on anything but 200. */
export async function fetchOutside(address: URL, outside: Outside): Promise<Buffer> {
  let asked = address
  for (let turn = 0; turn <= mostRedirects; turn += 1) {
    const response = await ask(asked, outside)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return readCapped(response, outside.mostBytes)
    response.destroy()
    if (statusCode < 300 || statusCode >= 400) throw new OutsideStatusError(statusCode)
    const next = new URL(headers.location ?? '', asked)
    if (outside.staysSecure && asked.protocol === 'https:' && next.protocol !== 'https:')
      throw new RefusedOutsideError('a redirect to plain HTTP')
    asked = next
  }
  throw new RefusedOutsideError('too many redirects')
}

function ask(address: URL, { own, others = [], accept, signal }: Outside): Promise<IncomingMessage> {
  if (address.username !== '' || address.password !== '')
    throw new RefusedOutsideError('an address with a name')
  const isOwn = own.includes(address.host) && /^https?:$/.test(address.protocol)
  if (!isOwn) requireOther(address, others)
  return new Promise((resolve, reject) => {
    const headers = { Accept: accept, 'User-Agent': 'Comptoir' }
    const send = address.protocol === 'https:' ? askSecurely : askPlainly
    // No connection is kept, because one kept for an own host would not have been looked up like the others.
    const options = { headers, signal, agent: false, ...(isOwn ? {} : { lookup: publicLookup }) }
    send(address, options, resolve).on('error', reject).end()
  })
}

function requireOther({ hostname, host, protocol, port }: URL, others: readonly string[]): void {
  const isAllowed = others.some((other) =>
    other.startsWith('.') ? hostname.endsWith(other) : hostname === other,
  )
  if (!isAllowed || port !== '' || protocol !== 'https:')
    throw new RefusedOutsideError(`another host: ${host}`)
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new RefusedOutsideError(`${host} is no public address`)
}

async function readCapped(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.byteLength
    if (size > mostBytes) throw new RefusedOutsideError(`an answer of more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
