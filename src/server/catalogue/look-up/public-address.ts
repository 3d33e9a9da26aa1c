import { lookup } from 'node:dns'
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
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    const first = found?.[0]
    if (error ?? !first) return callback(error ?? new Error(`${host} has no address`), '')
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error(`${host} is no public address`), '')
    }
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })
