import pino from 'pino'

import { createApp } from '../../src/server/app.ts'
import { type Answer, type Client, clientOf, type TestServer } from '../support/test-server.ts'

/** Somebody without a session at a network address of their own, on the server's database and clock. */
export function clientAt(
  server: TestServer,
  address: string,
  settings: { hurryMails?: () => void } = {},
): Client {
  const app = createApp({
    environments: [server.environment],
    logger: pino({ level: 'silent' }),
    now: () => server.now,
    addressOf: () => address,
    publicUrl: 'https://pret.exemple.fr',
    ...settings,
    checkAnswers: true,
  })
  return clientOf(app, null)
}

/** Both steps of a sign-in, as the client makes them; the answer of the one that refuses, or of the last. */
export async function signIn(client: Client, username: string, password: string): Promise<Answer> {
  const first = await client.post('/auth', { username, password })
  if (first.status !== 200) return first
  return client.post('/api/login_check', { username: `${username}@${first.body.environment_id}`, password })
}

export const withToken = (server: TestServer, token: string): Client => clientOf(server.app, token)

/** Moves the clock of the server and of every client made by `clientAt`. */
export function moveClock(server: TestServer, ms: number): void {
  server.moveTo(new Date(ms).toISOString())
}
