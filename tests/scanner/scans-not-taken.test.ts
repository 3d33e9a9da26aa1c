// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const signIn = (id: number) => {
  localStorage.setItem('token', 'token')
  localStorage.setItem('user', JSON.stringify({ id, rights: [] }))
}
/** As a page that is loaded. */
const load = async () => {
  vi.resetModules()
  return import('../../src/client/scanner/scans-not-taken.ts')
}

beforeEach(() => signIn(1))
afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('scans that nobody took', () => {
  it('are still there when the page is loaded again, in the order in which they were scanned, with who was there', async () => {
    const page = await load()
    page.keepNotTaken('R1', 'code_128')
    const leave = page.watchKept(() => 7)
    page.keepNotTaken('1002')
    page.keepNotTaken('1002')
    leave()
    // A card between others is for what comes after it.
    page.keepNotTaken('R1', 'code_128')
    const again = await load()
    const card = { code: 'R1', symbology: 'code_128' }
    expect(again.takeNotTaken()).toEqual([card, { code: '1002', reader: 7 }, card])
    expect((await load()).takeNotTaken()).toEqual([])
  })

  it('are not the next person’s, and what is not theirs is no reason to fail', async () => {
    ;(await load()).keepNotTaken('1001')
    signIn(2)
    expect((await load()).takeNotTaken()).toEqual([])
    sessionStorage.setItem('comptoir.scans-not-taken', '{"owner":2,"scans":[{"code":7}]}')
    expect((await load()).takeNotTaken()).toEqual([])
  })

  it('are said to wait in the bar, and to be ignored only where nobody is signed in', async () => {
    const page = await load()
    const { sayIgnored } = await import('../../src/client/scanner/ignored-scan.ts')
    expect(sayIgnored('1001')).toBe('Code 1001 gardé, à reprendre en haut')
    expect(page.takeNotTaken()).toEqual([{ code: '1001' }])
    localStorage.clear()
    const door = await load()
    const atDoor = await import('../../src/client/scanner/ignored-scan.ts')
    expect(atDoor.sayIgnored('1001')).toBe('Code 1001 lu, ignoré')
    expect(door.takeNotTaken()).toEqual([])
  })
})
