import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

const pdf = '%PDF-1.4\n%%EOF\n'

describeServer('loan conditions', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`update media set loaning_conditions_enabled = true,
      loaning_conditions_label = 'Vérifier avec <la personne>' where id = 1`.execute(server.db)
  })
  const lend = (body: object) => biblio.post('/api/loanings', { beneficiary: 1, ...body })
  const mailOf = async (loaning: number) => {
    await biblio.post('/api/mail', { loaning, template: 'loaning_creation' })
    const { html } = await server.db
      .selectFrom('mail_outbox')
      .select('html')
      .where('loaning', '=', loaning)
      .executeTakeFirstOrThrow()
    return html
  }

  it('are kept as handed over or not, and as nothing where the medium has none', async () => {
    const { body: given } = await lend({ copy: 1, conditions_given: true })
    expect(given.conditions_given).toBe(true)
    expect((await biblio.get(`/api/loanings/${given.id}`)).body.conditions_given).toBe(true)
    const { body: untold } = await lend({ copy: 2 })
    expect((await biblio.get(`/api/loanings/${untold.id}`)).body.conditions_given).toBe(false)
    const { body: none } = await lend({ copy: 11, conditions_given: true })
    expect((await biblio.get(`/api/loanings/${none.id}`)).body).toMatchObject({
      conditions_given: null,
      conditions_label: null,
      conditions_version: null,
    })
    // What was told on the day stays, whatever the medium asks later.
    await sql`update media set loaning_conditions_enabled = false where id = 1`.execute(server.db)
    await sql`update media set loaning_conditions_label = 'Autres' where id = 1`.execute(server.db)
    expect((await biblio.get(`/api/loanings/${given.id}`)).body).toMatchObject({
      conditions_given: true,
      conditions_label: 'Vérifier avec <la personne>',
    })
    await sql`update media set loaning_conditions_label = 'Vérifier avec <la personne>' where id = 1`.execute(
      server.db,
    )
    await sql`update media set loaning_conditions_enabled = true where id = 1`.execute(server.db)
  })

  it('are in the mail of the loan, with a link that opens the file of that day without a session', async () => {
    const { body: before } = await lend({ copy: 3, conditions_given: true })
    expect(await mailOf(before.id)).toContain('Conditions de prêt : Vérifier avec &lt;la personne&gt;</li>')

    const admin = await server.as('admin')
    const form = new FormData()
    form.set('file', new File([pdf], 'conditions.pdf', { type: 'application/pdf' }))
    await server.app.request('/api/medium/1/upload', {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: form,
    })
    const { body: loan } = await lend({ copy: 4, conditions_given: true })
    const [, link = ''] = /<a href="([^"]+)">Vérifier avec/.exec(await mailOf(loan.id)) ?? []
    const { pathname } = new URL(link)
    expect(pathname).toMatch(/^\/api\/conditions\/[0-9a-f]{32}$/)
    const read = await server.anonymous.get(pathname)
    expect(read.status).toBe(200)
    expect(read.body.toString()).toBe(pdf)
    expect((await biblio.get(`/api/loanings/${before.id}`)).body.conditions_version).toBeNull()
    expect((await server.anonymous.get(`/api/conditions/${'0'.repeat(32)}`)).status).toBe(404)
    expect((await server.anonymous.get('/api/conditions/..%2Fimages')).status).toBe(404)

    // The file that was sent stays what it was.
    await admin.put('/api/media/1', { loaning_conditions_file: null })
    expect((await server.anonymous.get(pathname)).status).toBe(200)
    const { body: kept } = await biblio.get(`/api/loanings/${loan.id}`)
    expect(`/api/conditions/${kept.conditions_version}`).toBe(pathname)

    // A mail that is sent later still links what was handed over, and not what was added since.
    await sql`delete from mail_outbox`.execute(server.db)
    await sql`update media set loaning_conditions_label = 'Autres' where id = 1`.execute(server.db)
    const later = await mailOf(loan.id)
    expect(later).toContain(`${pathname}">Vérifier avec`)
    expect(later).not.toContain('Autres')

    // One to many is written by a job, and leads to the same address.
    await sql`update mail_templates set content = '{% for loan in loans %}{{ loan.conditions.link }} {% endfor %}'
      where code = 'loaning_recap' and type = 'body'`.execute(server.db)
    expect((await biblio.post('/api/mail/recap')).status).toBe(202)
    await server.doJobs()
    const { html } = await server.db
      .selectFrom('mail_outbox')
      .select('html')
      .where('template', '=', 'loaning_recap')
      .executeTakeFirstOrThrow()
    expect(html).toContain(link)

    // A month after its copy came back the link ends, and only who sees the loan still reads them.
    const back = (return_date: string, status = 'finished' as const) =>
      server.db
        .updateTable('loanings')
        .set({ status, start_date: '2026-01-05', return_date, returned_at: `${return_date}T09:00:00Z` })
        .where('id', '=', loan.id)
        .execute()
    await back('2026-02-08')
    expect((await server.anonymous.get(pathname)).status).toBe(200)
    await back('2026-02-07')
    expect((await server.anonymous.get(pathname)).status).toBe(404)
    expect((await biblio.get(`/api/loanings/${loan.id}/conditions`)).body.toString()).toBe(pdf)
    const benevole = await server.as('benevole')
    expect((await benevole.get(`/api/loanings/${loan.id}/conditions`)).status).toBe(404)
    expect((await biblio.get(`/api/loanings/${before.id}/conditions`)).status).toBe(404)
    expect((await biblio.get('/api/loanings/999999/conditions')).status).toBe(404)
  })
})
