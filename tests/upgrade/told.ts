import { type Api, apiOf } from '../support/api-of.ts'
import { testPassword } from '../support/test-library.ts'

export type Told = Record<string, unknown>

/** What anything that answers calls is asked with: a running server, or today's router. */
export type Ask = (username: string, path: string) => Promise<unknown>

const lists = [
  'loanings',
  'beneficiaries',
  'copies',
  'references',
  'media',
  'categories',
  'agencies',
  'eligibility/list/CONTRACT',
  'eligibility/list/BENEFICIAIRE_STATUS',
  'eligibility/list/DOSSIER_TYPE',
  'copy_states',
  'duration_types',
  'parameters',
  'sites',
  'reasons',
  'translations',
  'mail',
  'devices',
]

export const usernames = ['admin', 'biblio', 'benevole', 'lecture']
export const passwordOf = (username: string): string =>
  username === 'admin' ? 'mot-de-passe-admin' : testPassword

/** All that the former version has a call for, by the call's path. */
export async function tell(ask: Ask): Promise<Told> {
  const told: Told = {}
  const keep = async (username: string, path: string) => {
    told[`${username} ${path}`] = await ask(username, path)
  }
  await keep('admin', '/dns')
  for (const username of usernames) await keep(username, '/api/users/me')
  for (const list of lists) await keep('admin', `/api/${list}?limit=500`)
  await keep('admin', '/api/references?limit=500&with_copies=1')
  for (const path of ['references/1', 'loanings/4', 'beneficiaries/2', 'sites/2'])
    await keep('admin', `/api/${path}`)
  // Who is at one site alone sees its own; what a volunteer does not see stays unseen.
  await keep('benevole', '/api/beneficiaries?limit=500')
  // Without the right to the history, today's version shows less of what is over.
  await keep('lecture', '/api/loanings?status=in_progress&limit=500')
  await keep('lecture', '/api/copies?limit=500')
  await keep('admin', '/api/loanings?islate=1')
  await keep('admin', '/api/loanings?status=in_progress&limit=500')
  await keep('admin', '/api/beneficiaries/autocomplete?searchname=dup')
  await keep('admin', '/api/beneficiaries?searchname=oeuvrard')
  await keep('admin', '/api/copies?searchname=varda')
  await keep('admin', '/api/loanings?benefsearchname=martin&order[start_date]=asc')
  for (const reader of [1, 2, 3, 4, 5, 6, 7])
    for (const copy of [7, 13])
      await keep('biblio', `/api/eligibility?beneficiary=${reader}&copy=${copy}&explain=1`)
  await keep('biblio', '/api/snapshot')
  return told
}

/** A running server, with one session for each who asks. */
export function askServer(address: string, password = passwordOf): Ask {
  const sessions = new Map<string, Promise<Api>>()
  return async (username, path) => {
    const api = sessions.get(username) ?? apiOf(address, username, password(username))
    sessions.set(username, api)
    const { status, body } = await (await api).get(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
}
