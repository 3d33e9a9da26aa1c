import { sql } from 'kysely'
import { expect, it } from 'vitest'

import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { deliveredProfiles, type Right } from '../../src/domain/rights.ts'
import { addedToLibrarian } from '../support/test-library.ts'
import { clientOf, describeServer, type TestServer } from '../support/test-server.ts'

const profiles = {
  admin: deliveredProfiles.Admin,
  biblio: [...deliveredProfiles.Bibliothécaire, ...addedToLibrarian],
  benevole: deliveredProfiles.Bénévole,
  lecture: deliveredProfiles.Consultation,
}

const pathOf = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, '999999')
const callAs = (server: TestServer, token: string | null, endpoint: Endpoint) =>
  clientOf(server.app, token).call(
    endpoint.method,
    pathOf(endpoint),
    endpoint.method === 'GET' ? undefined : { nonsense: true },
  )

/** Said here once more, apart from the server's own check. */
function mayCall(held: readonly Right[], { access }: Endpoint): boolean {
  if (access === 'public' || access === 'signed-in') return true
  const wanted = typeof access === 'string' ? [access] : access
  return wanted.some((right) => held.includes(right))
}

describeServer('rights', (server) => {
  const guarded = endpoints.filter(({ access }) => access !== 'public')

  it('leaves nothing open but what comes before a session, or in a mail', () => {
    expect(
      endpoints
        .filter(({ access }) => access === 'public')
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'auth',
      'dns.get',
      'health',
      'login_check',
      'login_link',
      // From a mail: a reader has no account.
      'media.conditions_sent',
      'resetting.reset',
      'resetting.send_email',
    ])
  })

  const pairs = guarded.flatMap((endpoint) =>
    Object.entries(profiles).map(([username, held]) => ({
      name: endpoint.name,
      username,
      endpoint,
      may: mayCall(held, endpoint),
    })),
  )

  it.each(pairs.filter(({ may }) => may))('opens $name to $username', async ({ username, endpoint }) => {
    const { token } = await server.as(username)
    const answer = await callAs(server, token, endpoint)
    expect([401, 403]).not.toContain(answer.status)
    expect(answer.status).toBeLessThan(500)
  })

  it.each(pairs.filter(({ may }) => !may))('closes $name to $username', async ({ username, endpoint }) => {
    const { token } = await server.as(username)
    const answer = await callAs(server, token, endpoint)
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ code: 403, reason: 'RIGHT_MISSING' })
  })

  it.each(guarded)('closes $name to whoever has no session', async (endpoint) => {
    for (const token of [null, 'A'.repeat(43), "'or'1'='1"]) {
      const answer = await callAs(server, token, endpoint)
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({
        code: 401,
        message: 'Votre session a pris fin. Connectez-vous de nouveau.',
      })
    }
  })

  it.each(guarded)('closes $name to whoever works for a site that is not open to them', async (endpoint) => {
    const { token } = await server.as('admin')
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin' on conflict do nothing`.execute(
      server.db,
    )
    const at = (site: number) =>
      clientOf(server.app, token).call(
        endpoint.method,
        pathOf(endpoint),
        endpoint.method === 'GET' ? undefined : { nonsense: true },
        { site },
      )
    for (const site of [2, 999_999]) {
      const answer = await at(site)
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ code: 403, reason: 'SITE_CLOSED' })
    }
    expect((await at(1)).status).not.toBe(403)
    await sql`delete from user_sites`.execute(server.db)
  })

  it('knows every address under which the API answers', () => {
    const declared = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    // The login page's image and the calls' description need no session; the measures have a token.
    const open = ['GET /api/image/env/:environment_id', 'GET /api/docs', 'GET /api/docs.json', 'ALL /metrics']
    const served = server.app.routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !route.endsWith('*') && !/^ALL \/(auth|dns|health)$/.test(route))
    expect([...new Set(served)].sort()).toEqual([...declared, ...open].sort())
  })

  /** The volunteer's profile holds these rights and no other. */
  const hold = async (held: readonly Right[]) => {
    await sql`delete from profile_rights where profile = (select id from profiles where name = 'Bénévole')`.execute(
      server.db,
    )
    for (const right of held) {
      await sql`insert into profile_rights (profile, right_code)
        select id, ${right} from profiles where name = 'Bénévole'`.execute(server.db)
    }
  }
  const wantedOf = ({ access }: Endpoint) =>
    (typeof access === 'string' ? [access] : access) as readonly Right[]

  it.each(guarded.filter(({ access }) => access !== 'signed-in'))(
    'closes $name to a profile that has every right but its own',
    async (endpoint) => {
      const { token } = await server.as('benevole')
      await hold(deliveredProfiles.Admin.filter((right) => !wantedOf(endpoint).includes(right)))
      expect((await callAs(server, token, endpoint)).body).toMatchObject({
        code: 403,
        reason: 'RIGHT_MISSING',
      })
      await hold(deliveredProfiles.Bénévole)
    },
  )

  const shared = guarded.filter(({ access }) => typeof access !== 'string')
  it.each(shared)('opens $name to each of its rights alone, and no longer without it', async (endpoint) => {
    const { token } = await server.as('benevole')
    for (const right of wantedOf(endpoint)) {
      await hold([right])
      expect([401, 403]).not.toContain((await callAs(server, token, endpoint)).status)
      await hold([])
      expect((await callAs(server, token, endpoint)).status).toBe(403)
    }
    await hold(deliveredProfiles.Bénévole)
  })

  it('follows the profile at once when a right is taken away', async () => {
    const benevole = await server.as('benevole')
    expect((await benevole.get('/api/loanings')).status).toBe(200)
    await server.db.deleteFrom('profile_rights').where('right_code', '=', 'LIST_LOANINGS').execute()
    expect((await benevole.get('/api/loanings')).status).toBe(403)
  })
})
