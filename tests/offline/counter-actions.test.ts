import { describe, expect, it } from 'vitest'

import { actionToLend, actionToReturn, actionToVerify } from '../../src/offline/counter-actions.ts'
import type { OpenLoan } from '../../src/offline/open-loans.ts'
import { copyRow, readerRow } from './device.ts'

const reader = readerRow(1)

describe('actionToLend', () => {
  const gesture = { copy: copyRow(1), beneficiary: reader, due: '2026-03-31' }

  it('names copy and reader, and keeps the date that was told off line', () => {
    expect(actionToLend({ ...gesture, toldOffline: true })).toEqual({
      endpoint: 'loanings.lend',
      params: {},
      body: { copy: 1, beneficiary: 1, expected_return_date: '2026-03-31' },
      copy_id: 1,
      bar_code: '1001',
      beneficiary_id: 1,
      depends_on: null,
      label: {
        kind: 'lend',
        title: 'Livre numéro 1',
        beneficiary: 'Alice Martin (M1)',
        due: '2026-03-31',
      },
    })
  })

  it('leaves the date to the server on line, and keeps what was chosen', () => {
    const chosen = { comment: 'Pour l’école', start_date: '2026-03-09' }
    const { body, label } = actionToLend({ ...gesture, toldOffline: false, chosen })
    expect(body).toEqual({ copy: 1, beneficiary: 1, ...chosen })
    expect(label.due).toBe('2026-03-31')
  })
})

it('actionToLend sends no day that nobody told', () => {
  const action = actionToLend({ copy: copyRow(1), beneficiary: readerRow(1), due: null, toldOffline: true })
  expect(action.body).toEqual({ copy: 1, beneficiary: 1 })
  expect(action.label.due).toBeNull()
})

describe('actionToVerify', () => {
  it('sends the codes as they were read, without a day, and asks of reservations', () => {
    expect(actionToVerify({ copy: { code: '31555' }, beneficiary: { code: '21555' } })).toEqual({
      endpoint: 'loanings.lend',
      params: {},
      body: { copy_code: '31555', beneficiary_code: '21555', despite_reservations: false },
      copy_id: null,
      bar_code: '31555',
      beneficiary_id: null,
      depends_on: null,
      label: { kind: 'lend', title: '31555', beneficiary: 'la carte 21555', due: null },
    })
  })

  it('names what the device knows beside it', () => {
    expect(actionToVerify({ copy: copyRow(1), beneficiary: { code: '21555' } })).toMatchObject({
      body: { copy: 1, beneficiary_code: '21555' },
      copy_id: 1,
      bar_code: '1001',
      label: { title: 'Livre numéro 1' },
    })
    expect(actionToVerify({ copy: { code: '31555' }, beneficiary: reader, relative: 7 })).toMatchObject({
      body: { copy_code: '31555', beneficiary: 1, relative: 7 },
      beneficiary_id: 1,
      label: { beneficiary: 'Alice Martin (M1)' },
    })
  })
})

describe('actionToReturn', () => {
  const loan: OpenLoan = {
    loan_id: 12,
    loan_key: 'clé',
    copy_id: 1,
    bar_code: '1001',
    title: 'Selon le prêt',
    medium: 1,
    site: 1,
    beneficiary_id: 1,
    start_date: '2026-03-01',
    end_date: '2026-03-31',
    late: false,
    waiting: false,
  }
  const copy = copyRow(1)

  it('goes by the bar code, where the server has the loan', () => {
    expect(actionToReturn({ bar_code: '1001', copy, loan, beneficiary: reader })).toEqual({
      endpoint: 'loanings.return_copy',
      params: {},
      body: { bar_code: '1001' },
      copy_id: 1,
      bar_code: '1001',
      beneficiary_id: 1,
      depends_on: null,
      label: {
        kind: 'return',
        title: 'Livre numéro 1',
        beneficiary: 'Alice Martin (M1)',
        due: '2026-03-31',
      },
    })
  })

  it('names the loan that still waits here, and waits for it', () => {
    const chosen = { state: 'DAMAGED' } as const
    const waiting = { ...loan, waiting: true }
    expect(
      actionToReturn({ bar_code: '1001', copy, loan: waiting, beneficiary: null, chosen }),
    ).toMatchObject({
      body: { bar_code: '1001', state: 'DAMAGED', loan_key: 'clé' },
      depends_on: 'clé',
      label: { beneficiary: null },
    })
  })

  it('names the loan of a row, whose copy may be anybody’s by now', () => {
    const chosen = { penalty: false }
    expect(
      actionToReturn({ bar_code: '1001', copy, loan, isOfRow: true, beneficiary: reader, chosen }),
    ).toMatchObject({
      endpoint: 'loanings.return',
      params: { id: '12' },
      body: chosen,
      copy_id: 1,
      bar_code: '1001',
      depends_on: null,
    })
    const waiting = { ...loan, loan_id: null, waiting: true }
    expect(
      actionToReturn({ bar_code: '1001', copy, loan: waiting, isOfRow: true, beneficiary: null }),
    ).toMatchObject({ endpoint: 'loanings.return_copy', body: { bar_code: '1001', loan_key: 'clé' } })
  })

  it('takes what is not known of the copy from the loan', () => {
    expect(actionToReturn({ bar_code: '1001', copy: null, loan, beneficiary: null })).toMatchObject({
      copy_id: 1,
      label: { title: 'Selon le prêt' },
    })
  })

  it('takes back what is not known at all', () => {
    expect(actionToReturn({ bar_code: '9999', copy: null, loan: null, beneficiary: null })).toMatchObject({
      body: { bar_code: '9999' },
      copy_id: null,
      beneficiary_id: null,
      depends_on: null,
      label: { title: '9999', beneficiary: null, due: null },
    })
  })
})
