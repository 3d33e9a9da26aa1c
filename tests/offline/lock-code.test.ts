import { describe, expect, it } from 'vitest'

import { forgetLockCode } from '../../src/offline/device-meta.ts'
import {
  chooseLockCode,
  forgiveTries,
  isLockCode,
  triesLeft,
  tryLockCode,
} from '../../src/offline/lock-code.ts'
import { freshDevice, reloadPage } from './device.ts'

freshDevice()

const biblio = { environment_id: 1, user_id: 2 }
const other = { environment_id: 1, user_id: 3 }

describe('the lock', () => {
  it.each([
    ['2580', true],
    ['0000', true],
    ['258', false],
    ['25800', false],
    ['25 8', false],
    ['٢٥٨٠', false],
  ])('takes « %s » for a code: %s', (text, is) => expect(isLockCode(text)).toBe(is))

  it('knows the right code, and nobody else’s', async () => {
    expect(await triesLeft(biblio)).toBeNull()
    await chooseLockCode(biblio, '2580')
    expect(await triesLeft(other)).toBeNull()
    expect(await tryLockCode(other, '2580')).toEqual({ isRight: false, left: 0 })
    expect(await tryLockCode(biblio, '2580')).toEqual({ isRight: true, left: 5 })
  })

  it('counts tries on the disk, and takes not even the right code after five', async () => {
    await chooseLockCode(biblio, '2580')
    for (const left of [4, 3, 2, 1]) {
      expect(await tryLockCode(biblio, '0000')).toEqual({ isRight: false, left })
      await reloadPage()
      expect(await triesLeft(biblio)).toBe(left)
    }
    // The page is left while the fifth is being verified.
    const fifth = tryLockCode(biblio, '0000')
    while ((await triesLeft(biblio)) === 1);
    expect(await triesLeft(biblio)).toBe(0)
    await fifth
    expect(await tryLockCode(biblio, '2580')).toEqual({ isRight: false, left: 0 })
    await forgiveTries(biblio)
    expect(await tryLockCode(biblio, '2580')).toEqual({ isRight: true, left: 5 })
  })

  it('begins anew after a right code, a new one, and another person’s', async () => {
    await chooseLockCode(biblio, '2580')
    await tryLockCode(biblio, '0000')
    await tryLockCode(biblio, '2580')
    expect(await triesLeft(biblio)).toBe(5)
    await tryLockCode(biblio, '0000')
    await chooseLockCode(biblio, '1357')
    expect(await triesLeft(biblio)).toBe(5)
    expect((await tryLockCode(biblio, '2580')).isRight).toBe(false)
    await chooseLockCode(other, '1111')
    expect(await triesLeft(biblio)).toBeNull()
    await forgetLockCode()
    expect(await triesLeft(other)).toBeNull()
  })
})
