import { isIPv6 } from 'node:net'

/** Attempts are counted by IPv4 address, or by the /64 that one IPv6 subscriber commands. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // A dotted end stands for two groups.
  const counted = [...before, ...after].length + (bare.includes('.') ? 1 : 0)
  const groups = [...before, ...(tail === undefined ? [] : Array<string>(8 - counted).fill('0')), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
