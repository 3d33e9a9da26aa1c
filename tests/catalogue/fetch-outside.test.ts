import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { fetchOutside, isPublicAddress } from '../../src/server/catalogue/look-up/fetch-outside.ts'

let stub: Server
let port: number
const asked: string[] = []
beforeAll(async () => {
  stub = createServer((request, response) => {
    asked.push(request.url ?? '')
    const to = new URL(request.url ?? '', 'http://stub').searchParams.get('to')
    if (to !== null) response.writeHead(302, { location: to }).end()
    else response.end('x'.repeat(2000))
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  port = (stub.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => stub.close(resolve)))

const fetchFrom = (address: string, { own, others = [] }: { own?: string[]; others?: string[] } = {}) =>
  fetchOutside(new URL(address, `http://127.0.0.1:${port}`), {
    own: own ?? [`127.0.0.1:${port}`],
    others,
    accept: '*/*',
    mostBytes: 2000,
    signal: AbortSignal.timeout(10_000),
  })

describe('what is fetched outside', () => {
  it('is had from a host of the configuration, with its redirects within it', async () => {
    expect(await fetchFrom('/picture')).toHaveLength(2000)
    expect(await fetchFrom('/?to=/picture')).toHaveLength(2000)
  })

  it.each([
    ['another host of this machine', `/?to=http://localhost/`],
    ['another port', `/?to=http://127.0.0.1:1/`],
    ['the addresses of a cloud', `/?to=http://169.254.169.254/latest`],
    ['a file', `/?to=file:///etc/passwd`],
    ['a name that ends alike', `/?to=https://covers.example.org.evil.test/`],
  ])('is not had by a redirect to %s', async (_, address) => {
    await expect(fetchFrom(address, { others: ['.example.org'] })).rejects.toThrow('another host')
  })

  it('is not had from an allowed name that leads to this machine, nor by plain HTTP', async () => {
    asked.length = 0
    await expect(fetchFrom('https://localhost/', { others: ['localhost'] })).rejects.toThrow(
      'no public address',
    )
    await expect(fetchFrom('https://127.0.0.1/', { others: ['127.0.0.1'] })).rejects.toThrow(
      'no public address',
    )
    await expect(fetchFrom('https://[::1]/', { others: ['[::1]'] })).rejects.toThrow('no public address')
    await expect(fetchFrom(`http://localhost/`, { others: ['localhost'] })).rejects.toThrow('another host')
    expect(asked).toEqual([])
  })

  it('is neither endless nor larger than is allowed', async () => {
    const loop = createServer((_, response) => response.writeHead(302, { location: '/' }).end())
    await new Promise<void>((resolve) => loop.listen(0, '127.0.0.1', resolve))
    const own = `127.0.0.1:${(loop.address() as AddressInfo).port}`
    await expect(fetchFrom(`http://${own}/`, { own: [own] })).rejects.toThrow('too many redirects')
    await new Promise((resolve) => loop.close(resolve))
    const small = { own: [`127.0.0.1:${port}`], accept: '*/*', signal: AbortSignal.timeout(10_000) }
    await expect(
      fetchOutside(new URL(`http://127.0.0.1:${port}/`), { ...small, mostBytes: 1999 }),
    ).rejects.toThrow('more than 1999 bytes')
  })
})

describe('isPublicAddress', () => {
  it.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'])(
    'counts %s as no public address, also written as IPv6',
    (address) => {
      expect(isPublicAddress(address)).toBe(false)
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false)
    },
  )
  it.each(['::1', '::', 'fd00::1', 'fe80::1', 'localhost', ''])(
    'counts « %s » as no public address',
    (address) => expect(isPublicAddress(address)).toBe(false),
  )
  it.each(['8.8.8.8', '2a00:1450:4007::1', '::ffff:8.8.8.8'])('counts %s as public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})
