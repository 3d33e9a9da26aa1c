import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'

import {
  snapshotBeneficiary,
  snapshotCopy,
  snapshotLoan,
  snapshotPage,
  snapshotReservation,
} from '../../src/contract/snapshot.ts'
import { clearCounter } from '../visibility/two-sites.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { newDevice, refresh, untilQuiet } from './device.ts'

/** What a counter without a network does with each fact that it holds of people and of what they borrow. */
const needed = {
  beneficiary: {
    id: 'named by the action that lends',
    matricule: 'typed or scanned to find the reader',
    lastname: 'shown, so that the right person is served; searched',
    firstname: 'shown, so that the right person is served; searched',
    reader_id: 'scanned from the card',
    contract_type: 'decides what may be borrowed (rules of a medium)',
    beneficiary_status: 'decides what may be borrowed (rules of a medium)',
    dossiers: 'decides what may be borrowed (rules of a medium)',
    agency_id: 'decides whether the reader may be told where readers belong to sites',
    exit_date: 'decides whether the reader may borrow still',
    message: 'written by the library for whoever serves the reader',
    relatives: 'borrow in the reader’s name, by their own card',
    deleted: 'takes the reader off the device',
  },
  loan: {
    id: 'named by the action that returns',
    loan_key: 'tells the device’s own loans from others',
    beneficiary: 'whose limits it counts in; who brings it back',
    relative: 'for whom it was made',
    copy: 'what is out',
    copy_barcode: 'scanned at its return',
    reference: 'opens the title',
    reference_name: 'shown at its return',
    medium: 'counts in the medium’s limit',
    site: 'whose opening days its return keeps to',
    start_date: 'what an extension counts from',
    end_date: 'decides whether it is late',
    duration_value: 'what an extension counts with',
    duration_type: 'what an extension counts with',
    closed: 'takes the loan off the device once it has ended',
  },
  reservation: {
    id: 'tells it from another of the same reader',
    beneficiary_id: 'may take the copy that waits',
    beneficiary_info: 'shown when another would take it',
    beneficiary_name: 'shown when another would take it',
    reference_id: 'what is waited for',
    copy_id: 'which copy is waited for',
    set_aside_copy: 'which copy stays on the shelf of those that wait',
    start_date: 'from when a copy is kept',
    end_date: 'until when a copy is kept',
    queue_position: 'who comes first',
    site: 'where it is fetched',
    closed: 'takes the reservation off the device once it is over',
  },
} as const

const fieldsOf = (schema: { entries: object }) => Object.keys(schema.entries).toSorted()
const open = { id: 1, name: 1, reader_id: 1 }

describeServer('what a device keeps to work without a network', (server) => {
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
  })

  it('is of people only what the counter uses, each fact with its reason', () => {
    expect(fieldsOf(snapshotBeneficiary)).toEqual(Object.keys(needed.beneficiary).toSorted())
    expect(fieldsOf(snapshotLoan)).toEqual(Object.keys(needed.loan).toSorted())
    expect(fieldsOf(snapshotReservation)).toEqual(Object.keys(needed.reservation).toSorted())
    expect(fieldsOf(snapshotBeneficiary.entries.relatives.item)).toEqual(Object.keys(open).toSorted())
    // Copies and settings tell of nobody.
    expect(fieldsOf(snapshotCopy).filter((field) => /benef|reader|loan|user|name_of/.test(field))).toEqual([])
    expect(fieldsOf(snapshotPage)).toEqual([
      'beneficiaries',
      'complete',
      'copies',
      'cursor',
      'loanings',
      'reservations',
      'reset',
      'server_time',
      'settings',
      'total',
    ])
  })

  it('has no way to reach somebody, no age, no address and no past', async () => {
    await sql`update beneficiaries set email = 'gardee@exemple.fr', phone = '0102030405', address = '1 rue cachée', commune = 'Villecachée',
      birth_year = 1987, wallet_amount = 98.76, displayed = '[{"name":"Bureau","value":"cachette","tab":"personal"}]' where id = 1`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, comment, duration_value, duration_type, lent_at, lent_received_at) values
      (1, 1, 1, 'finished', '2026-03-01', '2026-03-08', '2026-03-09', 'mot caché', 7, 'DAY', '2026-03-01', '2026-03-01'),
      (1, 2, 1, 'in_progress', '2026-03-01', '2026-03-20', null, 'mot caché', 7, 'DAY', '2026-03-01', '2026-03-01')`.execute(
      server.db,
    )
    await untilQuiet(server)
    const pages = await refresh(await server.as('admin'), newDevice())
    const whole = JSON.stringify(pages)
    expect(whole).toContain('Martin')
    expect(whole).not.toMatch(/gardee@|0102030405|cach[ée]|1987|98\.76/)
    const loans = pages.flatMap(({ loanings }) => loanings)
    expect(loans.filter(({ closed }) => !closed).map(({ copy }) => copy)).toEqual([2])
    expect(loans.map(({ copy }) => copy)).not.toContain(1)
  })

  it('loses a reader who was erased, with the next refresh', async () => {
    const admin = await server.as('admin')
    const device = newDevice()
    await untilQuiet(server)
    await refresh(admin, device)
    expect(device.beneficiaries.has(4)).toBe(true)
    expect((await admin.call('DELETE', '/api/beneficiaries/4')).status).toBe(204)
    await untilQuiet(server)
    const pages = await refresh(admin, device)
    expect(device.beneficiaries.has(4)).toBe(false)
    expect(JSON.stringify(pages)).not.toMatch(/Sans-Courriel|R4/)
  })
})
