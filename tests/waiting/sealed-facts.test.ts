import { expect, it } from 'vitest'

import { sealedFacts } from '../../src/client/waiting/sealed-facts.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { copyRow, freshDevice, loadSnapshot, loanRow, readerRow } from '../offline/device.ts'

freshDevice()

const returned = (id: number) => {
  const entry: Partial<Entry> = {
    endpoint: 'loanings.return',
    params: { id: String(id) },
    frozen_body: '{}',
  }
  return sealedFacts(entry as Entry)
}

it('A return by the number of its loan names the copy and its reader where the device knows them', async () => {
  expect(await returned(1)).toEqual(['Rendre le prêt nº\u00a01'])
  await loadSnapshot({
    copies: [copyRow(1)],
    beneficiaries: [readerRow(1)],
    loanings: [loanRow(1), loanRow(2, { copy_barcode: '', beneficiary: null, reference_name: '' })],
  })
  expect(await returned(1)).toEqual([
    expect.stringMatching(/^Rendre «\u00a0.+\u00a0» \(1001\)$/),
    expect.stringMatching(/^Prêté à /),
  ])
  expect(await returned(2)).toEqual(['Rendre le prêt nº\u00a02'])
})
