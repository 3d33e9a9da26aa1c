import { expect, it } from 'vitest'

import { findCopy, openLoansOf } from '../../src/offline/counter.ts'
import { actionToReturn } from '../../src/offline/counter-actions.ts'
import { drain } from '../../src/offline/drain.ts'
import type { NewAction } from '../../src/offline/entry.ts'
import { judgeLend } from '../../src/offline/judge-lend.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'
import { freshDevice, record, settingsOf, signInWith, stillClock } from './device.ts'

describeServer('a device of one site among several', (server) => {
  freshDevice()
  const person = { environment_id: 1, site: 1, user_id: 2, username: 'biblio' }
  const today = '2026-03-10'
  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const clock = stillClock()
  const refresh = () => refreshSnapshot({ fetch: network, site: 1, now: clock.now })
  const act = (action: NewAction) => record(action, person, new Date(clock.at))
  const send = () => drain(settingsOf(network, clock))
  const known = async (bar_code: string) => {
    const found = await findCopy(bar_code, today)
    if (!found) throw new Error(`no copy ${bar_code}`)
    return found
  }

  it('counts what the reader has at other sites, and takes back what was lent there', async () => {
    await setParameter(server, 'multisite', '1')
    const client = await server.as('biblio')
    await signInWith(client, person)
    const late = { beneficiary: 2, start_date: '2026-03-01', override_reason: 'Essai' }
    for (const copy of [13, 14]) {
      expect((await client.post('/api/loanings', { ...late, copy }, { site: 2 })).status).toBe(201)
    }
    await server.db.updateTable('references').set({ medium: 2 }).where('id', '=', 4).execute()
    await refresh()
    const now = new Date(clock.at)
    const judged = await judgeLend(await known('1004'), 2, today, { now })
    expect(judged).toMatchObject({ doubts: [] })
    // Two DVDs at most, none of them late: both are on loan at the other site, and both are late.
    expect(judged.refusals.map(({ code }) => code)).toEqual(['MAX_LOANING', 'MAX_LATE'])
    expect(await judgeLend(await known('1004'), 4, today, { now })).toMatchObject({
      verdict: { colour: 'green' },
      refusals: [],
    })

    expect(await findCopy('2003', today)).toBeNull()
    const held = (await openLoansOf(2, today)).filter(({ bar_code }) => bar_code.startsWith('2'))
    expect(held).toMatchObject([
      { bar_code: '2003', title: 'Film numéro 3', late: true },
      { bar_code: '2004', late: true },
    ])
    const loan = held[0] ?? null
    const back = await act(actionToReturn({ bar_code: '2003', copy: null, loan, beneficiary: null }))
    const left = async () =>
      (await openLoansOf(2, today)).flatMap(({ late, bar_code }) => (late ? [bar_code] : []))
    expect(await left()).toEqual(['2004'])
    await send()
    expect((await getEntry(back.id))?.state).toBe('done')
    clock.at += 1000
    await refresh()
    expect(await left()).toEqual(['2004'])

    // A copy that the device knows only by its bars is taken back too.
    const blind = await act(actionToReturn({ bar_code: '2004', copy: null, loan: null, beneficiary: null }))
    expect(await left()).toEqual([])
    await send()
    expect((await getEntry(blind.id))?.state).toBe('done')
  })
})
