import { expect, it } from 'vitest'

import { issueLoginLink } from '../../src/server/session/password-links.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { moveClock, withToken } from './client-at.ts'

describeServer('a login link', (server) => {
  const issue = () => server.db.transaction().execute((trx) => issueLoginLink(trx, 3, server.now))
  const use = (token: string) => server.anonymous.post('/api/login_link', { token })

  it('opens a session, once', async () => {
    const token = await issue()
    const answers = await Promise.all([use(token), use(token)])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 401]))
    const opened = answers.find(({ status }) => status === 200)
    const me = await withToken(server, opened?.body.token).get('/api/users/me')
    expect(me.body.username).toBe('benevole')
    const again = await use(token)
    expect(again.status).toBe(401)
    expect(again.body.reason).toBe('LINK_ENDED')
  })

  it('ends after fifteen minutes', async () => {
    const token = await issue()
    moveClock(server, Date.parse(testNow) + 15 * 60_000)
    expect((await use(token)).status).toBe(401)
    moveClock(server, Date.parse(testNow) + 15 * 60_000 - 1)
    expect((await use(token)).status).toBe(200)
  })

  it('does not change a password, nor serve a disabled user', async () => {
    const token = await issue()
    const reset = await server.anonymous.post(`/resetting/reset/${token}`, {
      password: 'un-long-mot-de-passe-neuf',
    })
    expect(reset.status).toBe(400)
    await server.db.updateTable('users').set({ enabled: false }).where('id', '=', 3).execute()
    expect((await use(token)).status).toBe(401)
    await server.db.updateTable('users').set({ enabled: true }).execute()
  })

  it('answers 401 to what was never a link', async () => {
    expect((await use('A'.repeat(43))).status).toBe(401)
    expect((await use('')).status).toBe(401)
  })
})
