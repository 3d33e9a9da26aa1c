import { describe, expect, it } from 'vitest'

import { deviceId, deviceProof } from '../../src/offline/device-meta.ts'
import { freshDevice, keepMeta, metaOf, reloadPage } from './device.ts'

freshDevice()

describe('deviceProof', () => {
  it('is the device’s number and its secret, the same for ever', async () => {
    const proof = await deviceProof()
    await reloadPage()
    expect(await deviceProof()).toBe(proof)
    const [id, secret] = proof.split('.')
    expect(id).toBe(await deviceId())
    expect(secret).toBe(await metaOf('device_secret'))
  })

  it('has 256 random bits, written so that a header can carry them', async () => {
    const secrets = new Set<string>()
    for (let n = 0; n < 20; n += 1) {
      await keepMeta('device_secret', null as never)
      secrets.add((await deviceProof()).split('.')[1] ?? '')
    }
    expect(secrets.size).toBe(20)
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    }
  })
})
