import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { codeAt, setUpFactor } from '../session/second-factor-of.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, clientOf, describeServer, testNow } from '../support/test-server.ts'
import { testPassword } from '../support/test-library.ts'

const password = 'quatre-chaises-vertes-1962'

describeServer('users', (server) => {
  let admin: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    await sql`delete from user_sites`.execute(server.db)
    await sql`delete from user_rights`.execute(server.db)
    await sql`delete from audit_journal`.execute(server.db)
    await sql`delete from mail_outbox`.execute(server.db)
    await sql`delete from users where id > 4`.execute(server.db)
    await sql`update users set enabled = true, profile = id where id <= 4`.execute(server.db)
    admin = await server.as('admin')
  })

  const list = async (client: Client, query = '') =>
    (await client.get(`/api/users?${query}`)).body['hydra:member']
  const names = async (client: Client, query = '') =>
    (await list(client, query)).map(({ username }: { username: string }) => username)
  const idOf = async (username: string) => (await list(admin, `username=${username}`))[0]?.id as number
  const add = (client: Client, body: object) =>
    client.post('/api/users', { role: 'Bénévole', password, ...body })
  const signIn = async (username: string, typed: string) =>
    (await server.anonymous.post('/auth', { username, password: typed })).status
  const give = async (username: string, sites: number[]) => {
    await sql`insert into user_sites (user_id, site) select id, unnest(${sites}::int[]) from users where username = ${username}`.execute(
      server.db,
    )
  }
  const journal = async () =>
    (
      await sql<{
        action: string
        whole: string
      }>`select action, j::text as whole from audit_journal j order by id`.execute(server.db)
    ).rows
  const profileOf = async (rights: string[]) => {
    const { id } = await server.db
      .insertInto('profiles')
      .values({ name: randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('profile_rights')
      .values(rights.map((right_code) => ({ profile: id, right_code })))
      .execute()
    return id
  }

  it('are listed with profile, rights, sites and last use, filtered and sorted', async () => {
    await give('biblio', [2])
    server.moveTo('2026-03-10T09:30:00Z')
    await server.as('benevole')
    const [found] = await list(admin, 'searchname=biblio')
    expect(found).toMatchObject({
      '@type': 'User',
      username: 'biblio',
      email: 'biblio@exemple.fr',
      role: 'Bibliothécaire',
      providers: ['local'],
      sites: [{ id: 2, name: 'Annexe' }],
      enabled: true,
      last_used_at: null,
      awaits_password: false,
      may_change: true,
    })
    expect(found.rights).toContain('LOANING_ADD')
    expect(found).not.toHaveProperty('password_hash')
    expect(await names(admin, 'site=1&order[username]=desc')).toEqual(['lecture', 'benevole', 'admin'])
    expect(await names(admin, 'filters[site|nil]=0')).toEqual(['biblio'])
    expect(await names(admin, 'role=3')).toEqual(['benevole'])
    expect(await names(admin, 'enabled=0')).toEqual([])
    expect((await names(admin, 'order[last_used_at]=desc'))[0]).toBe('benevole')
    const lately = (await list(admin, 'username=benevole'))[0].last_used_at
    expect(lately).toBe('2026-03-10T09:30:00.000Z')
    // A session that is forgotten leaves when it was last used.
    await sweep(server.environment, new Date('2026-05-10T09:00:00Z'))
    admin = await server.as('admin')
    expect((await list(admin, 'username=benevole'))[0].last_used_at).toBe(lately)
  })

  it('are added with a profile named or numbered, and sign in', async () => {
    const added = await add(admin, {
      username: 'Zoé',
      firstname: 'Zoé',
      lastname: 'Roux',
      sites: [1, '/api/sites/2'],
    })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({ username: 'Zoé', role: 'Bénévole', enabled: true, last_used_at: null })
    expect(added.body.sites).toHaveLength(2)
    expect(await signIn('zoé', password)).toBe(200)
    expect((await add(admin, { username: 'b', role: 3 })).body.role).toBe('Bénévole')
    expect((await add(admin, { username: 'c', role: '/api/profiles/4' })).body.role).toBe('Consultation')
  })

  it('refuses what cannot be, each at its field', async () => {
    const faults = [
      [{ username: 'BIBLIO' }, 'username'],
      [{ username: 'a@b' }, 'username'],
      [{ username: 'x', role: 'Personne' }, 'role'],
      [{ username: 'x', role: 99 }, 'role'],
      [{ username: 'x', password: 'court' }, 'password'],
      [{ username: 'x', email: 'nulle part' }, 'email'],
      [{ username: 'x', sites: [99] }, 'sites'],
      [{ username: 'x', rights: ['TOUT'] }, 'rights.0'],
      [{ username: 'x', password: undefined, email: 'x@exemple.fr', enabled: false }, 'enabled'],
    ] as const
    for (const [body, field] of faults) {
      const { status, body: refused } = await add(admin, body)
      expect([body, status, refused.violations?.[0].propertyPath]).toEqual([body, 422, field])
    }
    expect(
      (await add(admin, { username: 'x', rights: (await list(admin, 'username=benevole'))[0].rights }))
        .status,
    ).toBe(201)
    expect((await admin.put('/api/users/999999', { firstname: 'x' })).status).toBe(404)
    expect((await admin.delete('/api/users/2')).status).toBe(404)
  })

  it('keep no trace of a password, and one key adds once', async () => {
    const key = randomUUID()
    const first = await admin.post('/api/users', { username: 'seul', role: 3, password }, { key })
    const again = await admin.post('/api/users', { username: 'seul', role: 3, password }, { key })
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ])
    expect(again.body).toEqual(first.body)
    const other = await admin.post('/api/users', { username: 'autre', role: 3, password }, { key })
    expect(other.body.reason).toBe('KEY_REUSED')
    // The fingerprint is the same for another password, so that nobody can guess at this one with it.
    const guess = await admin.post(
      '/api/users',
      { username: 'seul', role: 3, password: 'une-autre-phrase' },
      { key },
    )
    expect(guess.headers.get('idempotency-replayed')).toBe('true')
    await admin.put(`/api/users/${first.body.id}`, { password: 'cinq-lampes-bleues-1971' })
    const lines = await journal()
    expect(lines.map(({ action }) => action).filter((action) => action !== 'session.open')).toEqual([
      'users.add',
      'password.set',
    ])
    expect(JSON.stringify(lines)).not.toMatch(/chaises|lampes|argon/)
  })

  it('are invited by a login link when they have no password, and anew', async () => {
    const { body } = await add(admin, {
      username: 'lise',
      firstname: 'Lise',
      email: 'lise@exemple.fr',
      password: undefined,
    })
    const mails = async () =>
      await server.db
        .selectFrom('mail_outbox')
        .select(['to_address', 'html', 'template'])
        .orderBy('id')
        .execute()
    const [mail] = await mails()
    expect(mail).toMatchObject({ to_address: 'lise@exemple.fr', template: 'account_invitation' })
    expect(mail?.html).toContain('Bonjour Lise')
    const tokenIn = (html = '') => /login\?token=([\w-]+)/.exec(html)?.[1]
    expect((await admin.post(`/api/users/${body.id}/invite`)).status).toBe(202)
    const [, second] = await mails()
    // Only the last link opens.
    expect((await server.anonymous.post('/api/login_link', { token: tokenIn(mail?.html) })).status).toBe(401)
    const opened = await server.anonymous.post('/api/login_link', { token: tokenIn(second?.html) })
    expect(opened.status).toBe(200)
    // Until a password is chosen, the session does nothing else.
    const lise = clientOf(server.app, opened.body.token)
    const read = await lise.get('/api/sites')
    expect([read.status, read.body.reason]).toEqual([403, 'PASSWORD_REQUIRED'])
    expect((await lise.get('/api/users/me')).body.due).toBe('password')
    expect((await lise.post('/api/choose-password', { new_password: password })).status).toBe(200)
    expect((await lise.get('/api/users/me')).body.due).toBeUndefined()
    expect(JSON.stringify(await journal())).not.toContain(tokenIn(second?.html))
    await server.db
      .updateTable('users')
      .set({ email: null, password_chosen: false })
      .where('id', '=', body.id)
      .execute()
    expect((await admin.post(`/api/users/${body.id}/invite`)).body.violations[0].propertyPath).toBe('email')
    await server.db
      .updateTable('mail_templates')
      .set({ enabled: false })
      .where('code', '=', 'account_invitation')
      .execute()
    const off = await add(admin, { username: 'max', email: 'max@exemple.fr', password: undefined })
    expect([off.status, await names(admin, 'username=max')]).toEqual([422, []])
    await server.db.updateTable('mail_templates').set({ enabled: true }).execute()
  })

  it('are given their invitation by hand, which opens once in seven days and only until they have a password', async () => {
    const lea = { username: 'lea', email: 'lea@exemple.fr', password: undefined }
    const { body } = await add(admin, lea)
    const made = async () => (await admin.post(`/api/users/${body.id}/invitation_link`)).body.link as string
    const opens = async (link: string) =>
      server.anonymous.post('/api/login_link', { token: new URL(link).searchParams.get('token') })
    const [former, link] = [await made(), await made()]
    expect((await opens(former)).status).toBe(401)
    const began = server.now
    server.moveTo(new Date(began.getTime() + 6.9 * 24 * 3600_000).toISOString())
    const opened = await opens(link)
    expect([opened.status, (await opens(link)).status]).toEqual([200, 401])
    server.moveTo(began.toISOString())
    const later = await made()
    server.moveTo(new Date(began.getTime() + 7.1 * 24 * 3600_000).toISOString())
    expect((await opens(later)).status).toBe(401)
    server.moveTo(began.toISOString())
    expect(JSON.stringify(await journal())).not.toContain(new URL(link).searchParams.get('token'))
    await clientOf(server.app, opened.body.token).post('/api/choose-password', { new_password: password })
    // Nor is one mailed.
    const mailed = await admin.post(`/api/users/${body.id}/invite`)
    expect([mailed.status, mailed.body.reason]).toEqual([409, 'PASSWORD_CHOSEN'])
    const refused = await admin.post(`/api/users/${body.id}/invitation_link`)
    expect([refused.status, refused.body.reason]).toEqual([409, 'PASSWORD_CHOSEN'])
  })

  it('are invited without an address too: no mail is written, and their link is handed over', async () => {
    const mails = () => server.db.selectFrom('mail_outbox').select('id').execute()
    const before = await mails()
    const { status, body } = await add(admin, { username: 'sans-adresse', email: '', password: undefined })
    expect([status, body.awaits_password, await mails()]).toEqual([201, true, before])
    const { link } = (await admin.post(`/api/users/${body.id}/invitation_link`)).body
    const token = new URL(link).searchParams.get('token')
    const opened = await server.anonymous.post('/api/login_link', { token })
    await clientOf(server.app, opened.body.token).post('/api/choose-password', { new_password: password })
    expect((await list(admin, 'username=sans-adresse'))[0].awaits_password).toBe(false)
  })

  it('are signed out at once when they are disabled, and their links end', async () => {
    const biblio = await server.as('biblio')
    const id = await idOf('biblio')
    await admin.post(`/api/users/${id}/invite`)
    const seal = (await biblio.post('/api/seals')).body.id as string
    expect((await admin.put(`/api/users/${id}`, { enabled: false })).body.enabled).toBe(false)
    expect((await biblio.get('/api/users/me')).status).toBe(401)
    expect(await signIn('biblio', testPassword)).toBe(401)
    const open = await sql`select from password_links where used_at is null and user_id = ${id}`.execute(
      server.db,
    )
    expect(open.rows).toEqual([])
    const sealed = await server.db
      .selectFrom('session_seals')
      .select('revoked_at')
      .where('id', '=', seal)
      .executeTakeFirstOrThrow()
    expect(sealed.revoked_at).not.toBeNull()
    expect((await admin.put(`/api/users/${id}`, { enabled: true })).status).toBe(200)
    expect(await signIn('biblio', testPassword)).toBe(200)
  })

  it('are told to whoever is signed in, by their own rights and sites', async () => {
    const biblio = await server.as('biblio')
    await admin.put(`/api/users/${await idOf('biblio')}`, { role: 'Consultation', sites: [2] })
    const me = (await biblio.get('/api/users/me')).body
    expect(me.role).toBe('Consultation')
    expect(me.sites).toEqual([{ id: 2, name: 'Annexe' }])
  })

  describe('guards', () => {
    /** Both wait for a row that a third connection holds, where the engine runs several at once. */
    async function atOnce(ask: () => Promise<Answer>[]): Promise<Answer[]> {
      if (testEngine === 'embedded') return Promise.all(ask())
      const holder = await server.environment.pool.connect()
      try {
        await holder.query('begin; select id from users for update')
        const asked = ask()
        const isWaiting = async () =>
          (
            await sql<{ waiting: number }>`
              select count(*)::integer as waiting from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
          ).rows[0]?.waiting === asked.length
        while (!(await isWaiting()));
        await holder.query('commit')
        return await Promise.all(asked)
      } finally {
        holder.release()
      }
    }
    const everything = { username: 'second', role: 'Admin', password }

    it('lets nobody disable themselves, nor set their own password here', async () => {
      await add(admin, everything)
      const own = await admin.put('/api/users/1', { enabled: false })
      expect([own.status, own.body.reason]).toEqual([409, 'OWN_ACCOUNT'])
      expect((await admin.put('/api/users/1', { password })).body.violations[0].propertyPath).toBe('password')
    })

    it('keeps the last one who gives rights, by whatever way they would be lost', async () => {
      for (const body of [{ role: 'Bibliothécaire' }, { sites: [1] }]) {
        const refused = await admin.put('/api/users/1', body)
        expect([body, refused.status, refused.body.reason]).toEqual([body, 409, 'LAST_KEEPER'])
      }
      const second = (await add(admin, everything)).body.id
      const other = await server.as('second')
      expect((await other.put('/api/users/1', { enabled: false })).status).toBe(200)
      expect((await other.put(`/api/users/${second}`, { role: 'Bénévole' })).body.reason).toBe('LAST_KEEPER')
      await server.db.updateTable('users').set({ enabled: true }).where('id', '=', 1).execute()
    })

    it('keeps one of two who take each other’s rights at the same instant', async () => {
      const second = (await add(admin, everything)).body.id
      for (const body of [{ enabled: false }, { role: 'Bénévole' }]) {
        const [one, other] = [await server.as('admin'), await server.as('second')]
        const answers = await atOnce(() => [
          one.put(`/api/users/${second}`, body),
          other.put('/api/users/1', body),
        ])
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        const { rows } =
          await sql`select from users where enabled and profile = 1 and deleted_at is null`.execute(server.db)
        expect(rows).toHaveLength(1)
        await sql`update users set enabled = true, profile = 1 where id in (1, ${second})`.execute(server.db)
      }
    })

    it('lets nobody give or touch rights that they lack, unless they give rights to profiles', async () => {
      const profile = await profileOf(['USER_EDIT', 'LIST_USERS', 'LIST_LOANINGS'])
      const less = await profileOf(['LIST_LOANINGS'])
      await add(admin, { username: 'chef', role: profile })
      const chef = await server.as('chef')
      const refused = await add(chef, { username: 'x', role: 'Admin' })
      expect(refused.body.violations[0].propertyPath).toBe('role')
      expect((await add(chef, { username: 'y', role: less })).status).toBe(201)
      // Their password or address would open what they hold.
      for (const body of [{ password }, { email: 'moi@exemple.fr' }, { enabled: false }, { role: less }]) {
        expect((await chef.put('/api/users/1', body)).status).toBe(403)
      }
      expect((await chef.post('/api/users/2/invite')).status).toBe(403)
      expect((await chef.put(`/api/users/${await idOf('chef')}`, { role: 'Admin' })).status).toBe(422)
      const seen = await list(chef)
      expect(seen.find(({ id }: { id: number }) => id === 1).may_change).toBe(false)
      expect(seen.find(({ username }: { username: string }) => username === 'y').may_change).toBe(true)
    })

    it('changes one’s own address for the password alone, and the code of whoever has a second factor', async () => {
      const before = (await add(admin, { username: 'second', role: 'Admin', email: 'second@exemple.fr' }))
        .body
      const second = await server.as('second')
      const put = (body: object) => second.put(`/api/users/${before.id}`, body)
      const faultOf = ({ status, body }: Answer) => [status, body.violations?.[0].propertyPath]
      const email = 'voleur@exemple.fr'
      expect(faultOf(await put({ email }))).toEqual([422, 'current_password'])
      expect(faultOf(await put({ email, current_password: 'pas-le-bon-mot' }))).toEqual([
        422,
        'current_password',
      ])
      // As it was, it is no change; and another person's is an administrator's to correct.
      expect((await put({ email: before.email, firstname: 'Ada' })).status).toBe(200)
      expect((await second.put('/api/users/2', { email: 'biblio@exemple.fr' })).status).toBe(200)
      const { secret } = await setUpFactor(server, second, password)
      expect(faultOf(await put({ email, current_password: password }))).toEqual([422, 'second_factor'])
      const wrong = await put({ email, current_password: password, second_factor: '000000' })
      expect(faultOf(wrong)).toEqual([422, 'second_factor'])
      expect((await list(admin, 'username=second'))[0].email).toBe(before.email)
      server.moveTo(new Date(Date.parse(testNow) + 60_000).toISOString())
      const second_factor = codeAt(secret, server.now)
      const changed = await put({ email, current_password: password, second_factor })
      expect([changed.status, changed.body.email]).toEqual([200, email])
      const told = await sql<{ to_address: string; html: string }>`
        select to_address, html from mail_outbox where template = 'account_changed' order by id`.execute(
        server.db,
      )
      expect(told.rows.map(({ to_address }) => to_address)).toEqual([before.email, before.email])
      expect(told.rows[0]?.html).toContain('Un deuxième facteur a été ajouté à votre compte.')
      expect(told.rows[1]?.html).toContain('L’adresse de courriel de votre compte a été changée.')
      await sql`delete from user_recovery_codes`.execute(server.db)
      await sql`delete from user_factors`.execute(server.db)
    })

    it('keeps where a person’s rights differ from the profile’s, and follows the profile in all others', async () => {
      const profile = await profileOf(['LIST_LOANINGS', 'LIST_SELL'])
      const { body } = await add(admin, {
        username: 'seule',
        role: profile,
        rights: ['LIST_LOANINGS', 'LIST_USERS', 'LIST_USERS'],
      })
      const told = { rights: ['LIST_LOANINGS', 'LIST_USERS'], added_rights: ['LIST_USERS'] }
      expect(body).toMatchObject({ ...told, removed_rights: ['LIST_SELL'] })
      expect((await list(admin, 'own_rights=1')).map(({ id }: { id: number }) => id)).toEqual([body.id])
      const seule = await server.as('seule')
      expect((await seule.get('/api/users/me')).body.rights).toEqual(told.rights)
      expect([(await seule.get('/api/users')).status, (await seule.get('/api/sales')).status]).toEqual([
        200, 403,
      ])

      await admin.put(`/api/profiles/${profile}`, { rights: ['LIST_RESERVATIONS', 'LIST_SELL'] })
      expect((await seule.get('/api/users/me')).body.rights).toEqual(['LIST_RESERVATIONS', 'LIST_USERS'])
      await admin.put(`/api/users/${body.id}`, { rights: ['LIST_RESERVATIONS', 'LIST_SELL'] })
      expect((await seule.get('/api/sales')).status).toBe(200)
      expect((await seule.get('/api/users')).status).toBe(403)
      expect(await list(admin, 'own_rights=1')).toEqual([])
      const { rows } = await sql`select before -> 'added_rights' as was, after -> 'added_rights' as is
        from audit_journal where action = 'users.update' and entity_id = ${body.id}`.execute(server.db)
      expect(rows).toEqual([{ was: ['LIST_USERS'], is: [] }])
    })

    it('lets nobody give a person a right that they lack, nor take the last one who gives rights theirs', async () => {
      const profile = await profileOf(['USER_EDIT', 'LIST_USERS', 'LIST_LOANINGS'])
      await add(admin, { username: 'chef', role: profile })
      const chef = await server.as('chef')
      const less = { username: 'y', role: await profileOf(['LIST_LOANINGS']) }
      const refused = await add(chef, { ...less, rights: ['LIST_LOANINGS', 'LIST_SELL'] })
      expect(refused.body.violations[0]).toEqual({
        propertyPath: 'rights',
        message: 'Vous ne donnez pas un droit que vous n’avez pas\u202f: «\u00a0Voir les ventes\u00a0».',
      })
      const given = await add(chef, { ...less, rights: ['LIST_USERS'] })
      expect([given.status, given.body.rights]).toEqual([201, ['LIST_USERS']])
      const own = (await admin.get('/api/users/me')).body.rights as string[]
      const lost = await admin.put('/api/users/1', { rights: own.filter((code) => code !== 'PARAMETER_LAW') })
      expect([lost.status, lost.body.reason]).toEqual([409, 'LAST_KEEPER'])
      const second = await add(admin, { username: 'second', role: less.role, rights: own })
      expect(second.status).toBe(201)
      expect((await admin.put('/api/users/1', { rights: ['USER_EDIT'] })).status).toBe(200)
    })

    it('lets nobody leave a profile that asks for a second factor, unless they give rights', async () => {
      const rights = ['LIST_USERS', 'USER_EDIT']
      const [asking, lax] = [await profileOf(rights), await profileOf(rights)]
      await server.db.updateTable('profiles').set({ second_factor: true }).where('id', '=', asking).execute()
      await sql`update users set profile = ${asking} where username = 'biblio'`.execute(server.db)
      const biblio = await server.as('biblio')
      const { status, body } = await biblio.put(`/api/users/${await idOf('biblio')}`, { role: lax })
      expect([status, body.violations[0].propertyPath]).toEqual([422, 'role'])
      expect((await admin.put(`/api/users/${await idOf('biblio')}`, { role: lax })).status).toBe(200)
    })

    it('shows and opens to a person of some sites only those who work within them', async () => {
      await give('biblio', [1])
      await give('benevole', [1, 2])
      await add(admin, { username: 'centre', role: 'Admin', sites: [1] })
      const centre = await server.as('centre')
      expect(await names(centre)).toEqual(['biblio', 'centre'])
      expect(await names(centre, 'site=2')).toEqual([])
      for (const id of [1, await idOf('benevole')]) {
        expect((await centre.put(`/api/users/${id}`, { firstname: 'x' })).status).toBe(404)
        expect((await centre.post(`/api/users/${id}/invite`)).status).toBe(404)
      }
      const elsewhere = await server.as('benevole')
      const session = (await elsewhere.get('/api/sessions')).body['hydra:member'][0].id
      expect((await centre.delete(`/api/sessions/${session}`)).status).toBe(404)
      expect((await centre.post('/api/sessions/end', { user: await idOf('benevole') })).status).toBe(404)
      const open = (await centre.get('/api/sessions?limit=100')).body['hydra:member']
      expect(open.map(({ user }: { user: { username: string } }) => user.username)).not.toContain('benevole')
      for (const sites of [[], [2], [1, 2]]) {
        expect((await centre.put(`/api/users/${await idOf('biblio')}`, { sites })).status).toBe(422)
        expect((await add(centre, { username: 'x', sites })).status).toBe(422)
      }
      expect((await add(centre, { username: 'x' })).status).toBe(422)
      expect((await add(centre, { username: 'x', sites: [1] })).status).toBe(201)
      expect((await centre.put(`/api/users/${await idOf('centre')}`, { sites: [] })).status).toBe(422)
    })
  })
})
