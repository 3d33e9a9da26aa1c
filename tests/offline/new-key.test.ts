import { afterEach, describe, expect, it, vi } from 'vitest'

import { newKey } from '../../src/offline/new-key.ts'

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('a random identifier', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(['with', 'without'])('is of version 4, in 36 characters, %s a secure address', (how) => {
    if (how === 'without') {
      const { crypto } = globalThis
      vi.stubGlobal('crypto', {
        getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
      })
    }
    const keys = Array.from({ length: 500 }, newKey)
    for (const key of keys) {
      expect(key).toHaveLength(36)
      expect(key).toMatch(v4)
    }
    expect(new Set(keys).size).toBe(500)
  })
})
