import { randomUUID } from 'node:crypto'

import { calendarDayOf, plusDays } from '../../src/domain/calendar-day.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import type { Answer } from '../support/test-server.ts'
import { testPassword } from '../support/test-library.ts'

const adminPassword = 'mot-de-passe-admin'
const tablet = '6f9d1c8e-4b07-4f0e-9d0a-2f6f5f0b7a11'

/** A change that a device may send once more after the upgrade, because it never heard the answer. */
export type KeptCall = {
  key: string
  body: { beneficiary: number; copy: number }
  status: number
  loan: number | null
}

/** Does at the former version's counter what its screens did, by its own calls alone. */
export async function fillFormer(address: string): Promise<{ calls: KeptCall[] }> {
  const biblio = await apiOf(address, 'biblio', testPassword)
  const admin = await apiOf(address, 'admin', adminPassword)
  const today = calendarDayOf(new Date(), 'Europe/Paris')
  await addReaders(biblio)
  await changeSettings(admin)
  await lendAndReturn(biblio, today)
  await correct({ biblio, admin })
  const calls = await disagree(biblio)
  await reportTablet({ biblio: await apiOf(address, 'biblio', testPassword, tablet), admin })
  await sendMails(biblio)
  return { calls }
}

async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`the former version answers ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Ids of the new readers are 5 to 7. */
async function addReaders(biblio: Api): Promise<void> {
  const readers = [
    {
      matricule: 'É-0005',
      lastname: 'Œuvrard-N’Diaye',
      firstname: 'Maëlle',
      contract_type: 'CDI',
      beneficiary_status: 'Agent',
      dossiers: ['Jeunesse', 'Famille'],
      agency_id: 2,
      reader_id: 'R5',
      email: 'maelle@exemple.fr',
      phone: '05 61 00 00 00',
      address: '3 bis, rue de l’Été\n31000 Toulouse',
      message: 'Carte à refaire',
    },
    { matricule: '00006', lastname: 'Zimmermann', firstname: '', exit_date: '2031-12-31', email: null },
    { matricule: '00007', lastname: 'Le Goff', firstname: 'Yann', reader_id: '0000123', agency_id: 1 },
  ]
  for (const reader of readers) await done(biblio.post('/api/beneficiaries', reader))
  await done(
    biblio.put('/api/beneficiaries/7', { lastname: 'Le Goff-Petit', number: '0000124', phone: '06' }),
  )
  await done(biblio.put('/api/relatives/1', { number: 'R2B' }))
}

async function changeSettings(admin: Api): Promise<void> {
  const { 'hydra:member': parameters } = await done(admin.get('/api/parameters?limit=500'))
  const values: Record<string, string> = {
    work_council: 'Médiathèque de l’Été',
    delay_days_number_before_penalize: '2',
    multisite: '1',
    relative_search: '1',
  }
  for (const { id, code } of parameters as { id: number; code: string }[]) {
    const value = values[code]
    if (value !== undefined) await done(admin.put(`/api/parameters/${id}`, { value }))
  }
}

/** Copies 1 to 6 and 11, 13: open, late, returned in time, late and not, free, against a refusal, off line. */
async function lendAndReturn(biblio: Api, today: string): Promise<void> {
  const lend = (body: object) => done(biblio.post('/api/loanings', body, { key: randomUUID() }))
  const ago = (days: number) => plusDays(today, -days)
  await lend({ beneficiary: 1, copy: 1, comment: 'Jaquette déchirée\nà recoller' })
  await lend({ beneficiary: 2, relative: 1, copy: 2, duration_type: 'MONTH', duration_value: 2 })
  const late = await lend({
    beneficiary: 1,
    copy: 3,
    start_date: ago(40),
    override_reason: 'Repris du cahier',
  })
  await done(biblio.post(`/api/loanings/${late.id}/delay`, { delay_reason: 2, delay_comment: 'Hôpital' }))
  const inTime = await lend({ beneficiary: 4, copy: 4, amount: '1.50' })
  const returned = { return_comment: 'Page 12 tachée', state: 'DAMAGED' }
  await done(biblio.post(`/api/loanings/${inTime.id}/return`, returned, { key: randomUUID() }))
  const penalised = await lend({
    beneficiary: 5,
    copy: 5,
    start_date: ago(60),
    override_reason: 'Repris du cahier',
  })
  await done(biblio.post(`/api/loanings/${penalised.id}/return`, {}, { key: randomUUID() }))
  await lend({ beneficiary: 5, copy: 6, start_date: ago(50), override_reason: 'Repris du cahier' })
  await done(biblio.post('/api/loanings/return', { bar_code: '1006', penalty: false }, { key: randomUUID() }))
  // The first of the two who wait for this film, at the site that has it.
  await done(
    biblio.post(
      '/api/loanings',
      { beneficiary: 2, copy: 11, free: true, free_reason: 4 },
      { key: randomUUID(), site: 2 },
    ),
  )
  await lend({ beneficiary: 3, copy: 12, override_reason: 'Accord de la direction' })
  await lend({
    beneficiary: 6,
    copy: 14,
    occurred_at: new Date(Date.now() - 2 * 86_400_000).toISOString(),
    device_id: tablet,
    expected_return_date: plusDays(today, 3),
  })
  await done(biblio.post('/api/loanings/fast', { beneficiary: 7, copy: 15 }, { key: randomUUID() }))
}

/** Copies 7 to 10: cancelled, undone, extended, changed, deleted. */
async function correct({ biblio, admin }: { biblio: Api; admin: Api }): Promise<void> {
  const lend = (beneficiary: number, copy: number) =>
    done(biblio.post('/api/loanings', { beneficiary, copy, device_id: tablet }, { key: randomUUID() }))
  const cancelled = await lend(4, 7)
  await done(biblio.post(`/api/loanings/${cancelled.id}/cancel`, {}))
  const undone = await lend(4, 8)
  await done(biblio.post(`/api/loanings/${undone.id}/undo`, { expects: 'lend' }, { key: randomUUID() }))
  const back = await lend(6, 9)
  await done(biblio.post(`/api/loanings/${back.id}/return`, {}, { key: randomUUID() }))
  await done(biblio.post(`/api/loanings/${back.id}/undo`, { expects: 'return' }, { key: randomUUID() }))
  await done(biblio.post(`/api/loanings/${back.id}/extend`, { duration_value: 2 }))
  const deleted = await lend(6, 10)
  const gone = await admin.delete(`/api/loanings/${deleted.id}`)
  if (gone.status !== 204) throw new Error(`the former version does not delete: ${gone.status}`)
  const changed = await lend(6, 10)
  await done(biblio.put(`/api/loanings/${changed.id}`, { comment: 'Jusqu’à l’été', duration_value: 5 }))
}

/** Two counters that disagree, with what they sent. */
async function disagree(biblio: Api): Promise<KeptCall[]> {
  const calls: KeptCall[] = []
  const send = async (beneficiary: number, copy: number) => {
    const key = randomUUID()
    const body = { beneficiary, copy }
    const { status, body: answer } = await biblio.post('/api/loanings', body, { key })
    calls.push({ key, body, status, loan: status === 201 ? answer.id : null })
    return { key, body }
  }
  // Copy 1 is with Alice Martin.
  const refused = await send(7, 1)
  const settled = { resolves: refused.key, reason: 'ALREADY_LENT', choice: 'NOT_HANDED_OVER' }
  const action = { endpoint: 'loanings.lend', body: refused.body }
  await done(biblio.post('/api/conflicts/settle', { ...settled, action }, { key: randomUUID() }))
  const closed = await send(7, 2)
  await done(
    biblio.post(
      '/api/conflicts/settle',
      {
        resolves: closed.key,
        reason: 'ALREADY_LENT',
        choice: 'CLOSE_AND_LEND',
        action: { endpoint: 'loanings.lend', body: closed.body },
        occurred_at: new Date().toISOString(),
      },
      { key: randomUUID() },
    ),
  )
  // Nobody settled this one yet; and this one was lent.
  await send(4, 1)
  await send(7, 8)
  return calls
}

async function reportTablet({ biblio, admin }: { biblio: Api; admin: Api }): Promise<void> {
  await done(
    biblio.put(`/api/devices/${tablet}`, {
      app_version: '0.1.0',
      browser: 'Chromium 140',
      waiting: 2,
      conflicts: 1,
      quarantined: 0,
      oldest_age: 7200,
      snapshot_age: 60,
      storage_used: 4_000_000,
    }),
  )
  await done(admin.put(`/api/devices/${tablet}/name`, { name: 'Tablette de l’entrée' }))
}

async function sendMails(biblio: Api): Promise<void> {
  await done(biblio.post('/api/beneficiaries/1/remind'))
  await done(biblio.post('/api/mail/recap'))
  await done(biblio.post('/api/mail', { loaning: 1, template: 'loaning_creation' }))
  for (;;) {
    const { 'hydra:totalItems': left } = await done(biblio.get('/api/mail?status=queued'))
    if (left === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
