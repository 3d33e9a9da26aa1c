import { expect, it } from 'vitest'

import { revokeSessions } from '../../src/server/session/open-session.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { moveClock } from './client-at.ts'

const hour = 3600_000

describeServer('the end of a session', (server) => {
  const after = (ms: number) => moveClock(server, Date.parse(testNow) + ms)

  it('comes after twelve hours without a call', async () => {
    const biblio = await server.as('biblio')
    after(11.9 * hour)
    expect((await biblio.get('/api/users/me')).status).toBe(200)
    after(23.8 * hour)
    expect((await biblio.get('/api/users/me')).status).toBe(200)
    after(35.9 * hour)
    const ended = await biblio.get('/api/users/me')
    expect(ended.status).toBe(401)
    expect(ended.body).toEqual({ code: 401, message: 'Votre session a pris fin. Connectez-vous de nouveau.' })
  })

  it('comes after thirty days, however busy', async () => {
    after(0)
    const biblio = await server.as('biblio')
    for (let hours = 11; hours < 30 * 24; hours += 11) {
      after(hours * hour)
      expect((await biblio.get('/api/users/me')).status).toBe(200)
    }
    after(30 * 24 * hour + 1)
    expect((await biblio.get('/api/users/me')).status).toBe(401)
  })

  it('comes with signing out, for that session alone', async () => {
    const leaving = await server.as('biblio')
    const staying = await server.as('biblio')
    const left = await leaving.post('/api/logout')
    expect(left.status).toBe(204)
    // What the browser itself kept goes; « storage » would take the queue of the counter with it.
    expect(left.headers.get('clear-site-data')).toBe('"cache"')
    expect((await leaving.get('/api/users/me')).status).toBe(401)
    const again = await leaving.post('/api/logout')
    expect(again.status).toBe(401)
    expect(again.headers.get('clear-site-data')).toBeNull()
    expect((await staying.get('/api/users/me')).status).toBe(200)
  })

  it('comes when the user is disabled', async () => {
    const benevole = await server.as('benevole')
    await server.db.updateTable('users').set({ enabled: false }).where('username', '=', 'benevole').execute()
    expect((await benevole.get('/api/users/me')).status).toBe(401)
    await server.db.updateTable('users').set({ enabled: true }).execute()
  })

  it('comes when all the sessions of a user are revoked', async () => {
    const biblio = await server.as('biblio')
    const lecture = await server.as('lecture')
    await server.db.transaction().execute((trx) => revokeSessions(trx, { user_id: 2 }, server.now))
    expect((await biblio.get('/api/users/me')).status).toBe(401)
    expect((await lecture.get('/api/users/me')).status).toBe(200)
  })

  it('comes for a list too, which is read while its session is asked after', async () => {
    const biblio = await server.as('biblio')
    // The device is remembered from its first list on.
    for (let time = 0; time < 2; time++) expect((await biblio.get('/api/loanings')).status).toBe(200)
    await server.db.transaction().execute((trx) => revokeSessions(trx, { user_id: 2 }, server.now))
    const ended = await biblio.get('/api/loanings')
    expect(ended.status).toBe(401)
    expect(ended.body).not.toHaveProperty('hydra:member')
  })
})
