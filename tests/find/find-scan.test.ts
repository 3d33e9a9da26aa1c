// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { findScan } from '../../src/client/find/find-scan.ts'
import { knowShapes } from '../../src/client/scanner/known-shapes.ts'
import { copyRow, freshDevice, loadSnapshot, readerRow } from '../offline/device.ts'

freshDevice()

const find = (code: string) => findScan(new QueryClient(), false, code)

it.each(['HA112', 'HQ&&é'])(
  'findScan seeks what the keys of a French keyboard meant, then what they typed: %s',
  async (bar_code) => {
    await loadSnapshot({ copies: [copyRow(1, { bar_code })] })
    expect(await find('HQ&&é')).toMatchObject({ kind: 'copy', copy: { bar_code } })
  },
)

it('findScan seeks a code as it was read, then in another case', async () => {
  await loadSnapshot({
    copies: [copyRow(1, { bar_code: 'Wsp1' }), copyRow(2, { bar_code: 'abc7' })],
    beneficiaries: [readerRow(1, { reader_id: 'ABC7' })],
  })
  for (const read of ['Wsp1', 'wSP1', 'WSP1', 'wsp1'])
    expect(await find(read)).toMatchObject({ kind: 'copy', copy: { bar_code: 'Wsp1' } })
  expect(await find('abc7')).toMatchObject({ kind: 'copy', copy: { bar_code: 'abc7' } })
  expect(await find('ABC7')).toMatchObject({ kind: 'reader', chosen: { reader: { reader_id: 'ABC7' } } })
  expect(await find('Abc7')).toMatchObject({ kind: 'copy', copy: { bar_code: 'abc7' } })
})

it('findScan says off line that nobody here knows a code only once the looks of codes are known here', async () => {
  await loadSnapshot({ copies: [copyRow(1, { bar_code: '1001' })] })
  noteNoAnswer()
  const happened: string[] = []
  const found = find('99990001').then(({ kind }) => happened.push(kind))
  // Each reads the device as often as the unknown one does.
  for (let n = 0; n < 5; n += 1) await find('1001')
  happened.push('known')
  await knowShapes([])
  await found
  noteAnswer()
  expect(happened).toEqual(['known', 'unknown'])
})
