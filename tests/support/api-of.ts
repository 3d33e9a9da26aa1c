import type { Answer } from './test-server.ts'

/** A running server's API, as one person, on a device of theirs where it is given: what a journey looks into once the screens have spoken. */
export async function apiOf(address: string, username: string, password: string, device?: string) {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    { key, site }: { key?: string; site?: number } = {},
  ): Promise<Answer> => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(site === undefined ? {} : { 'x-site': String(site) }),
        ...(device === undefined ? {} : { 'x-device': `${device}.${'A'.repeat(43)}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null, headers: response.headers }
  }
  const login = await send('POST', '/api/login_check', { username: `${username}@1`, password })
  if (login.status !== 200) throw new Error(`sign-in of ${username}: ${login.status}`)
  const { token } = login.body as { token: string }
  return {
    get: (path: string) => send('GET', path, undefined, token),
    /** `key` and `site` are those of an action that waits on a device, where the call stands for its own. */
    post: (path: string, body: unknown = {}, of: { key?: string; site?: number } = {}) =>
      send('POST', path, body, token, of),
    put: (path: string, body: unknown = {}) => send('PUT', path, body, token),
    delete: (path: string) => send('DELETE', path, undefined, token),
    token,
    /** Bar codes of the loans in progress, sorted. */
    lent: async (): Promise<string[]> => {
      const { body } = await send('GET', '/api/loanings?status=in_progress&limit=500', undefined, token)
      return (body['hydra:member'] as { copy_barcode: string }[]).map((loan) => loan.copy_barcode).sort()
    },
    /** How many loans there ever were, whatever became of them. */
    countLoans: async (): Promise<number> =>
      (await send('GET', '/api/loanings', undefined, token)).body['hydra:totalItems'] as number,
  }
}
export type Api = Awaited<ReturnType<typeof apiOf>>
