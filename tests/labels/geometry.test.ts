import { describe, expect, it } from 'vitest'

import {
  a4,
  dotOf,
  fitsPage,
  knownSheets,
  labelsOnPage,
  moduleFor,
  offsetOf,
  onDot,
  placeOf,
  sheetOf,
  spineLines,
} from '../../src/domain/label-sheets.ts'
import { numberingFault } from '../../src/domain/site-bar-code.ts'

const all = Object.entries(knownSheets)

describe('sheets and rolls', () => {
  it.each(all)('%s has every label within its page, none over another', (_, on) => {
    expect(fitsPage(on)).toBe(true)
    const places = Array.from({ length: labelsOnPage(on) }, (_, n) => placeOf(on, n))
    for (const [at, { page, x, y }] of places.entries()) {
      expect(page).toBe(0)
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + on.label.width).toBeLessThanOrEqual(on.page.width + 0.01)
      expect(y + on.label.height).toBeLessThanOrEqual(on.page.height + 0.01)
      for (const other of places.slice(at + 1)) {
        const isBeside = Math.abs(other.x - x) >= on.label.width - 0.01
        expect(isBeside || Math.abs(other.y - y) >= on.label.height - 0.01).toBe(true)
      }
    }
    expect(placeOf(on, labelsOnPage(on))).toEqual({ ...places[0], page: 1 })
  })

  it('have as many labels as their makers say', () => {
    const { L7160, L7159, L7651, DYMO_11354 } = knownSheets
    expect([L7160, L7159, L7651, DYMO_11354].map(labelsOnPage)).toEqual([21, 24, 65, 1])
    expect([L7160, L7159, L7651].every(({ page }) => page === a4)).toBe(true)
  })

  it.each(all)('%s has modules of whole dots, at least two of them', (_, on) => {
    for (const modules of [90, 117, 140, 180]) {
      const module = moduleFor(on, modules, on.label.width - 2)
      if (module === null) continue
      const dots = module / dotOf(on)
      expect(dots).toBeCloseTo(Math.round(dots), 9)
      expect(Math.round(dots)).toBeGreaterThanOrEqual(2)
      expect(module * modules).toBeLessThanOrEqual(on.label.width - 2 + 1e-9)
    }
    expect(moduleFor(on, 1000, on.label.width)).toBeNull()
    expect(onDot(on, 3.3) / dotOf(on)).toBeCloseTo(Math.round(onDot(on, 3.3) / dotOf(on)), 9)
  })

  it('may be one’s own, with margins and pitch', () => {
    const own = {
      name: 'Maison',
      kind: 'sheet' as const,
      label_width: 500,
      label_height: 300,
      margin_left: 55,
      margin_top: 70,
      pitch_x: 515,
      pitch_y: 0,
      columns: 3,
      rows: 9,
    }
    expect(placeOf(sheetOf(own), 4)).toEqual({ page: 0, x: 5.5 + 51.5, y: 7 + 30 })
    expect(fitsPage(sheetOf(own))).toBe(true)
    expect(fitsPage(sheetOf({ ...own, columns: 4 }))).toBe(true)
    expect(fitsPage(sheetOf({ ...own, columns: 5 }))).toBe(false)
    expect(fitsPage(sheetOf({ ...own, rows: 10 }))).toBe(false)
    expect(fitsPage(sheetOf({ ...own, pitch_x: 480 }))).toBe(false)
    expect(sheetOf({ ...own, kind: 'roll_203' })).toMatchObject({
      page: { width: 50, height: 30 },
      columns: 1,
      rows: 1,
      dpi: 203,
    })
  })

  it('are moved by what a calibration sheet was measured to be off', () => {
    expect(offsetOf({ left: 10, top: 10 })).toEqual({ x: 0, y: 0 })
    expect(offsetOf({ left: 11.5, top: 9 })).toEqual({ x: -1.5, y: 1 })
  })
})

describe('a spine', () => {
  it('has three lines at most, parted where the call number has spaces', () => {
    expect(spineLines('R CAM etr')).toEqual(['R', 'CAM', 'etr'])
    expect(spineLines(' 843.914 ')).toEqual(['843.914'])
    expect(spineLines('R CAM etr 2')).toEqual(['R', 'CAM', 'etr 2'])
  })
})

describe('the numbering of a site', () => {
  it('is one that its symbology can write', () => {
    const fault = (siteCode: string, firstValue: string, symbology: 'CODE39' | 'EAN13' | 'CODABAR') =>
      numberingFault({ siteCode, firstValue, symbology })
    expect(fault('BIB', '0001', 'CODE39')).toBeNull()
    expect(fault('bib', '0001', 'CODE39')).toContain('en Code 39')
    expect(fault('3', '0001', 'CODABAR')).toBeNull()
    expect(fault('M', '0001', 'CODABAR')).toContain('en Codabar')
    expect(fault('2000', '00000001', 'EAN13')).toBeNull()
    expect(fault('2000', '0001', 'EAN13')).toContain('12 chiffres')
  })
})
