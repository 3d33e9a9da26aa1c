import { describe, expect, it } from 'vitest'

import { inVisualOrder, type Part } from '../../src/server/pdf/write-signs.ts'

/** The line as it is seen, from left to right. */
const seen = (line: string): string =>
  inVisualOrder(line, (part: Part) => [part])
    .map(({ text, isRtl }) => (isRtl ? Array.from(text).reverse().join('') : text))
    .join('')

describe('inVisualOrder', () => {
  it('leaves alone what is read from the left', () => {
    expect(seen('Война и мир (1869)')).toBe('Война и мир (1869)')
    expect(seen('')).toBe('')
  })

  it('writes words from the right, each space where it is read', () => {
    expect(inVisualOrder('שלום עולם', (part: Part) => [part])).toEqual([{ text: 'שלום עולם', isRtl: true }])
    expect(seen('שלום עולם')).toBe('םלוע םולש')
    expect(seen('الف ليلة وليلة')).toBe('ةليلو ةليل فلا')
  })

  it('writes numbers and what is read from the left within it from the left', () => {
    expect(seen('שנת 2024 טובה')).toBe('הבוט 2024 תנש')
    expect(seen('מחיר 12,50 שקל')).toBe('לקש 12,50 ריחמ')
    expect(seen('שלום (Livre 2) עולם')).toBe('םלוע (Livre 2) םולש')
    expect(seen('שלום (עולם)')).toBe('(םלוע) םולש')
  })

  it('writes what is read from the right within a line from the left at its place', () => {
    expect(seen('Roman : שלום עולם !')).toBe('Roman : םלוע םולש !')
    expect(seen('Le שלום 12 עולם, et la suite')).toBe('Le םלוע 12 םולש, et la suite')
  })

  it('keeps the order of parts that are cut further, whichever way they are read', () => {
    const each = (line: string) =>
      inVisualOrder(line, ({ text, isRtl }) => Array.from(text, (sign) => ({ text: sign, isRtl })))
        .map(({ text }) => text)
        .join('')
    expect(each('שלום 12 (Livre) עולם')).toBe('םלוע (Livre) 12 םולש')
  })
})
