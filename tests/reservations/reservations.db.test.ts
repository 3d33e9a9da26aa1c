import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import { takeServiceBack } from '../../src/server/queue/change-queue.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('reservations', (server) => {
  let biblio: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    await sql`truncate loanings, reservations, idempotency_keys restart identity cascade`.execute(server.db)
    await sql`update "references" set reference_data = '{}'`.execute(server.db)
    await sql`update copies set status = 'Disponible', state = 'VERY_GOOD', deleted_at = null, withdrawn_on = null, withdrawal_reason = null`.execute(
      server.db,
    )
    await setParameter(server, 'reservations_without_dates', '1')
    await setParameter(server, 'multiple_reservations', '0')
    await setParameter(server, 'enable_reservations_amount', '0')
    await setParameter(server, 'online_booking_enabled', '0')
    biblio = await server.as('biblio')
  })
  const reserve = (beneficiary_id: number, told: object = {}) =>
    biblio.post('/api/reservations', { beneficiary_id, reference_id: 1, ...told })
  const reserved = async (beneficiary_id: number, told: object = {}) =>
    (await reserve(beneficiary_id, told)).body.id
  const set = (id: number, body: object) => biblio.put(`/api/reservations/${id}`, body)
  const positions = async () => {
    const { body } = await biblio.get('/api/reservations?order[id]=asc')
    return body['hydra:member'].map((one: { queuePosition: number | null }) => one.queuePosition)
  }

  describe('without dates', () => {
    it('queue up, by place, and tell everything that the specification names', async () => {
      expect(await reserve(1, { copy_id: 1, comment: 'Pour l’école' })).toMatchObject({
        status: 201,
        body: {
          beneficiary_id: 1,
          beneficiary_name: 'Alice Martin (M1)',
          beneficiary_has_contact_email: true,
          reference_id: 1,
          reference_name: 'Livre numéro 1',
          copy_id: 1,
          start_date: null,
          end_date: null,
          status: 'waiting',
          source: 'media',
          reservation_date: testNow,
          queuePosition: 1,
          comment: 'Pour l’école',
          cycle_value: null,
          site: 1,
        },
      })
      expect((await reserve(2)).body.queuePosition).toBe(2)
      expect((await reserve(4)).body).toMatchObject({
        queuePosition: 3,
        beneficiary_has_contact_email: false,
      })
      expect((await biblio.get('/api/waiting_list/copy/1')).body).toEqual({ count: 3 })
    })

    it('close up behind whoever leaves the queue, and put who comes back at its end', async () => {
      const [first, second, third] = [await reserved(1), await reserved(2), await reserved(4)]
      expect((await set(first, { status: 'canceled' })).body).toMatchObject({
        status: 'canceled',
        queuePosition: null,
      })
      expect(await positions()).toEqual([null, 1, 2])
      expect((await set(second, { status: 'refused', comment: 'Abîmé' })).body).toMatchObject({
        status: 'refused',
        comment: 'Abîmé',
      })
      expect(await positions()).toEqual([null, null, 1])
      expect((await set(first, { status: 'waiting' })).body.queuePosition).toBe(2)
      expect((await biblio.delete(`/api/reservations/${third}`)).status).toBe(204)
      expect(await positions()).toEqual([1, null])
    })

    it('are not confirmed once they are cancelled', async () => {
      const id = await reserved(1)
      await set(id, { status: 'canceled' })
      const refused = await set(id, { status: 'confirmed' })
      expect(refused).toMatchObject({ status: 409, body: { reason: 'WRONG_STATUS' } })
    })

    it('keep the copy on the shelf for whoever is confirmed, for seven days', async () => {
      const id = await reserved(1)
      expect((await set(id, { status: 'confirmed' })).body).toMatchObject({
        status: 'confirmed',
        queuePosition: null,
        set_aside_copy: 1,
        set_aside_barcode: '1001',
        pickup_until: '2026-03-17',
      })
      expect((await biblio.get('/api/reservations?set_aside=1')).body['hydra:totalItems']).toBe(1)
      const other = await biblio.post('/api/loanings', {
        beneficiary: 2,
        copy: 1,
        despite_reservations: false,
      })
      expect(other).toMatchObject({ status: 409, body: { reason: 'RESERVED' } })
      const loan = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).body
      expect((await biblio.get(`/api/reservations/${id}`)).body.fulfilled_by).toBe(loan.id)
      // Served ones leave the list until they are asked for.
      expect((await biblio.get('/api/reservations')).body['hydra:totalItems']).toBe(0)
      expect((await biblio.get('/api/reservations?served=1')).body['hydra:totalItems']).toBe(1)
      expect(await set(id, { status: 'canceled' })).toMatchObject({ status: 409 })
    })

    it('are confirmed before any copy is there, and get the one that comes back', async () => {
      const loan = (await biblio.post('/api/loanings', { beneficiary: 4, copy: 1 })).body
      const [first, second] = [await reserved(1), await reserved(2)]
      expect((await set(second, { status: 'confirmed' })).body.set_aside_copy).toBeNull()
      const back = (await biblio.post(`/api/loanings/${loan.id}/return`)).body
      expect(back).toMatchObject({
        reservation_reference: 1,
        awaited_by: { id: second, beneficiary_name: 'Éric Dupont (M2)', site: { id: 1, name: 'Centre' } },
      })
      expect((await set(second, { status: 'confirmed', set_aside_copy: 1 })).body.set_aside_copy).toBe(1)
      expect(await set(first, { status: 'confirmed', set_aside_copy: 1 })).toMatchObject({
        status: 409,
        body: {
          reason: 'COPY_UNAVAILABLE',
          message: 'L’exemplaire 1001 est mis de côté pour quelqu’un d’autre.',
        },
      })
    })

    it('are changed over no version but the one that was read, which others in the queue leave as it is', async () => {
      const [first, second] = [await reserved(1), await reserved(2)]
      const { version } = (await biblio.get(`/api/reservations/${second}`)).body
      await set(first, { status: 'canceled' })
      expect((await biblio.get(`/api/reservations/${second}`)).body).toMatchObject({
        version,
        queuePosition: 1,
      })
      expect((await set(second, { version, comment: 'Le matin' })).body.comment).toBe('Le matin')
      expect(await set(second, { version, comment: 'Le soir' })).toMatchObject({
        status: 409,
        body: { reason: 'CHANGED_SINCE' },
      })
      expect((await biblio.get(`/api/reservations/${second}`)).body.comment).toBe('Le matin')
      expect((await set(second, { version: 'x' })).body.violations[0].propertyPath).toBe('version')
    })

    it('pass to the next what nobody fetched, in one go', async () => {
      const [first, second] = [await reserved(1), await reserved(2)]
      await set(first, { status: 'confirmed' })
      const nextOf = async (id: number) => (await biblio.get(`/api/reservations/${id}/next_reader`)).body
      expect(await nextOf(first)).toEqual({ beneficiary_name: 'Éric Dupont (M2)' })
      expect(await nextOf(second)).toEqual({ beneficiary_name: null })
      expect((await biblio.post(`/api/reservations/${first}/pass`, {})).body).toMatchObject({
        passed: { id: first, status: 'canceled', comment: 'Non retirée.' },
        next: { id: second, status: 'confirmed', set_aside_copy: 1 },
      })
      expect(await nextOf(second)).toEqual({ beneficiary_name: null })
      expect((await biblio.post(`/api/reservations/${second}/pass`, {})).body.next).toBeNull()
      expect(await biblio.post(`/api/reservations/${second}/pass`, {})).toMatchObject({ status: 409 })
    })

    it('are kept for the next until the same number of days after', async () => {
      const [first, second] = [await reserved(1), await reserved(2)]
      await set(first, { status: 'confirmed' })
      const { next } = (await biblio.post(`/api/reservations/${first}/pass`, {})).body
      expect(next).toMatchObject({ id: second, pickup_until: '2026-03-17' })
    })

    it('stay where a loan has served them', async () => {
      const id = await reserved(1)
      await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })
      expect(await biblio.delete(`/api/reservations/${id}`)).toMatchObject({
        status: 409,
        body: { reason: 'WRONG_STATUS' },
      })
    })

    it('stand at the same place again when the return is undone of the copy that was set aside', async () => {
      const loan = (await biblio.post('/api/loanings', { beneficiary: 4, copy: 1 })).body
      const [first, second] = [await reserved(1), await reserved(2)]
      await biblio.post(`/api/loanings/${loan.id}/return`)
      await set(first, { status: 'confirmed', set_aside_copy: 1 })
      expect((await biblio.post(`/api/loanings/${loan.id}/undo`)).status).toBe(200)
      expect((await biblio.get(`/api/reservations/${first}`)).body).toMatchObject({
        status: 'waiting',
        queuePosition: 1,
        set_aside_copy: null,
        pickup_until: null,
      })
      expect((await biblio.get(`/api/reservations/${second}`)).body.queuePosition).toBe(2)
    })

    it('stand at the same place again when the loan that served them is undone', async () => {
      const [first, second] = [await reserved(1), await reserved(2)]
      const loan = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).body
      expect((await biblio.get(`/api/reservations/${second}`)).body.queuePosition).toBe(1)
      await biblio.post(`/api/loanings/${loan.id}/undo`)
      expect((await biblio.get(`/api/reservations/${first}`)).body).toMatchObject({
        queuePosition: 1,
        fulfilled_by: null,
      })
      expect((await biblio.get(`/api/reservations/${second}`)).body.queuePosition).toBe(2)
    })

    it('are served by any copy of the title, which frees the one that was set aside until the loan is undone', async () => {
      await sql`insert into copies (id, reference, bar_code, site) overriding system value values (99, 1, '1999', 1)`.execute(
        server.db,
      )
      const lend = async (beneficiary: number, copy: number) =>
        (await biblio.post('/api/loanings', { beneficiary, copy })).body
      const told = async () => (await biblio.get(`/api/reservations/${id}`)).body
      const id = await reserved(1)
      await set(id, { status: 'confirmed' })
      const loan = await lend(1, 99)
      expect(loan.freed_copy).toEqual({ id: 1, bar_code: '1001' })
      expect((await told()).fulfilled_by).toBe(loan.id)
      // Nobody waits for it any more.
      const other = await lend(4, 1)
      expect(other).not.toHaveProperty('freed_copy')
      await biblio.post(`/api/loanings/${other.id}/undo`)
      await biblio.post(`/api/loanings/${loan.id}/undo`)
      expect(await told()).toMatchObject({ status: 'confirmed', set_aside_copy: 1, fulfilled_by: null })
      const again = await lend(1, 99)
      expect((await lend(4, 1)).id).toBeDefined()
      await biblio.post(`/api/loanings/${again.id}/undo`)
      expect(await told()).toMatchObject({ status: 'confirmed', set_aside_copy: null, fulfilled_by: null })
      await sql`truncate loanings, reservations cascade`.execute(server.db)
      await sql`delete from copies where id = 99`.execute(server.db)
    })

    it('wait for another copy when the one that was kept leaves the stock', async () => {
      const id = await reserved(1, { copy_id: 1 })
      await set(id, { status: 'confirmed' })
      expect((await biblio.delete('/api/copies/1')).status).toBe(204)
      expect((await biblio.get(`/api/reservations/${id}`)).body).toMatchObject({
        status: 'confirmed',
        copy_id: null,
        set_aside_copy: null,
      })
    })

    it.each([
      ['is sold', { type: 'Vente' }],
      ['is put up for sale', null],
    ])('wait for another copy when the one that was wished for %s', async (_, isSold) => {
      await sql`insert into copies (reference, bar_code, site) values (1, '1999', 1)`.execute(server.db)
      const waiting = await reserved(1, { copy_id: 1 })
      const closed = await reserved(2, { copy_id: 1 })
      await set(closed, { status: 'canceled' })
      if (isSold) {
        // As a copy is sold that was for sale before anybody wished for it.
        await sql`update copies set type = 'Vente' where id = 1`.execute(server.db)
        expect((await biblio.post('/api/sales', { beneficiary: 4, copy: 1 })).status).toBe(201)
      } else expect((await biblio.put('/api/copies/1', { type: 'Vente' })).status).toBe(200)
      expect((await biblio.get(`/api/reservations/${waiting}`)).body).toMatchObject({
        copy_id: null,
        queuePosition: 1,
      })
      // What is closed may be taken up again.
      expect((await set(closed, { status: 'waiting' })).body).toMatchObject({
        copy_id: null,
        queuePosition: 2,
      })
      expect((await set(waiting, { status: 'confirmed' })).body.set_aside_barcode).toBe('1999')
      await sql`truncate sales restart identity cascade`.execute(server.db)
      await sql`update copies set type = 'Location' where id = 1`.execute(server.db)
      await sql`delete from reservations`.execute(server.db)
      await sql`delete from copies where bar_code = '1999'`.execute(server.db)
    })

    it('wait for another copy when the loan that served them is undone after that copy has gone', async () => {
      await sql`insert into copies (reference, bar_code, site) values (1, '1999', 1)`.execute(server.db)
      const id = await reserved(1, { copy_id: 1 })
      const loan = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).body
      expect((await biblio.get(`/api/reservations/${id}`)).body.fulfilled_by).toBe(loan.id)
      await biblio.post(`/api/loanings/${loan.id}/return`, {})
      expect((await biblio.delete('/api/copies/1')).status).toBe(204)
      await server.db.transaction().execute((trx) => takeServiceBack(trx, { id: loan.id, reference: 1 }))
      expect((await biblio.get(`/api/reservations/${id}`)).body).toMatchObject({
        fulfilled_by: null,
        copy_id: null,
        queuePosition: 1,
      })
      await sql`delete from reservations`.execute(server.db)
      await sql`delete from copies where bar_code = '1999'`.execute(server.db)
    })

    it('are one a person and title unless the library allows several', async () => {
      await reserve(1)
      expect(await reserve(1)).toMatchObject({
        status: 422,
        body: { violations: [{ propertyPath: 'reference_id' }] },
      })
      await setParameter(server, 'multiple_reservations', '1')
      expect((await reserve(1)).status).toBe(201)
    })

    it('stop an extension until somebody passes over them', async () => {
      const loan = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).body
      await reserve(2)
      const extend = (told: object) =>
        biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value: 1, ...told })
      expect(await extend({})).toMatchObject({ status: 409, body: { reason: 'RESERVED' } })
      expect((await extend({ despite_reservations: true })).status).toBe(200)
    })

    it('stop a change that moves a return later, until somebody passes over them, and no other change', async () => {
      const loan = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })).body
      const id = await reserved(2)
      const change = (told: object) => biblio.put(`/api/loanings/${loan.id}`, told)
      const { end_date, duration_value } = loan
      const later = { duration_value: duration_value + 1 }
      expect(await change(later)).toMatchObject({
        status: 409,
        body: {
          reason: 'RESERVED',
          message: 'Cet exemplaire est sujet à réservations',
          facts: { reservations: [{ beneficiary_id: 2 }] },
        },
      })
      expect((await biblio.get(`/api/loanings/${loan.id}`)).body).toMatchObject({ end_date, duration_value })
      expect((await change({ comment: 'À relier' })).status).toBe(200)
      expect((await change({ start_date: '2026-03-01' })).status).toBe(200)
      expect((await change({ start_date: loan.start_date })).body.reason).toBe('RESERVED')
      expect((await change({ ...later, despite_reservations: true })).status).toBe(200)
      expect((await biblio.get(`/api/reservations/${id}`)).body.status).toBe('waiting')
    })
  })

  describe('with dates', () => {
    const days = (start_date: string, end_date: string) => ({ start_date, end_date })

    it('stop a loan or a longer one only where no copy of the title is left for them', async () => {
      await sql`insert into copies (id, reference, bar_code, site) overriding system value values (99, 1, '1999', 1)`.execute(
        server.db,
      )
      const today = (await biblio.post('/api/loanings', { beneficiary: 1, copy: 99 })).body
      await biblio.post(`/api/loanings/${today.id}/undo`)
      await reserve(2, days(today.start_date, today.end_date))
      const [copy] = (await biblio.get('/api/copies?id=1')).body['hydra:member']
      expect(copy.capacity).toEqual({ copies: 2, loans: [] })
      const lend = (beneficiary: number, copy: number) => biblio.post('/api/loanings', { beneficiary, copy })
      const first = await lend(1, 1)
      expect(first.status).toBe(201)
      expect(await lend(4, 99)).toMatchObject({ status: 409, body: { reason: 'RESERVED' } })
      const { start_date, end_date } = first.body
      expect((await biblio.get('/api/copies?id=99')).body['hydra:member'][0].capacity).toEqual({
        copies: 2,
        loans: [{ start_date, end_date }],
      })
      await reserve(4, days(plusDays(end_date, 1), plusDays(end_date, 40)))
      const extend = () => biblio.post(`/api/loanings/${first.body.id}/extend`, { duration_value: 1 })
      expect((await extend()).status).toBe(200)
      await sql`update copies set status = 'Non Disponible' where id = 99`.execute(server.db)
      expect(await extend()).toMatchObject({ status: 409, body: { reason: 'RESERVED' } })
      await sql`truncate loanings, reservations cascade`.execute(server.db)
      await sql`delete from copies where id = 99`.execute(server.db)
    })

    it('are asked for both where the library reserves by dates', async () => {
      await setParameter(server, 'reservations_without_dates', '0')
      expect((await reserve(1)).body.violations).toEqual([
        { propertyPath: 'start_date', message: 'La date de début est obligatoire.' },
        { propertyPath: 'end_date', message: 'La date de fin est obligatoire.' },
      ])
      expect((await reserve(1, { start_date: '2026-04-01' })).body.violations[0].propertyPath).toBe(
        'end_date',
      )
      expect((await reserve(1, days('2026-04-10', '2026-04-01'))).status).toBe(422)
      expect((await reserve(1, days('2026-03-01', '2026-03-05'))).status).toBe(422)
      expect((await reserve(1, days('2026-04-01', '2026-04-10'))).body).toMatchObject({
        status: 'waiting',
        queuePosition: null,
        start_date: '2026-04-01',
      })
    })

    it('never overlap on one copy, nor exceed the copies that are lent', async () => {
      expect((await reserve(1, { ...days('2026-04-01', '2026-04-10'), copy_id: 1 })).status).toBe(201)
      expect((await reserve(2, { ...days('2026-04-10', '2026-04-12'), copy_id: 1 })).status).toBe(422)
      expect((await reserve(2, days('2026-03-31', '2026-04-02'))).body.violations).toEqual([
        {
          propertyPath: 'start_date',
          message: 'Tous les exemplaires sont déjà réservés ou prêtés le 01/04/2026.',
        },
      ])
      expect((await reserve(2, days('2026-04-11', '2026-04-12'))).status).toBe(201)
      await sql`insert into copies (reference, bar_code, site) values (1, '1999', 1)`.execute(server.db)
      // One copy is free on each day, though it meets two reservations.
      expect((await reserve(4, days('2026-04-09', '2026-04-12'))).status).toBe(201)
      await sql`delete from reservations where copy_id is null`.execute(server.db)
      await sql`delete from copies where bar_code = '1999'`.execute(server.db)
    })

    it('begin on the weekday of the medium', async () => {
      await sql`update media set start_day = 1 where id = 1`.execute(server.db)
      expect((await reserve(1, days('2026-04-01', '2026-04-10'))).body.start_date).toBe('2026-04-06')
      expect((await reserve(2, days('2026-04-21', '2026-04-22'))).body.violations[0].propertyPath).toBe(
        'end_date',
      )
      await sql`update media set start_day = null where id = 1`.execute(server.db)
    })

    it('estimate what they cost, where the library wants to know', async () => {
      await setParameter(server, 'enable_reservations_amount', '1')
      expect((await reserve(1, days('2026-04-01', '2026-04-10'))).body.amount).toBe('0.50')
      expect((await reserve(2)).body.amount).toBe('0.75')
    })

    it('call the copy that comes back seven days before they begin, and no earlier', async () => {
      const loan = async () =>
        (await biblio.post('/api/loanings', { beneficiary: 4, copy: 1, despite_reservations: true })).body
      const back = async (id: number) => (await biblio.post(`/api/loanings/${id}/return`)).body
      const first = await loan()
      await sql`insert into reservations (beneficiary_id, reference_id, start_date, end_date)
        values (1, 1, '2026-03-18', '2026-03-20')`.execute(server.db)
      expect(await back(first.id)).not.toHaveProperty('reservation_reference')
      server.moveTo('2026-03-11T09:00:00Z')
      biblio = await server.as('biblio')
      const second = await loan()
      expect(await back(second.id)).toMatchObject({
        reservation_reference: 1,
        awaited_by: { beneficiary_name: 'Alice Martin (M1)', start_date: '2026-03-18' },
      })
    })
  })

  it('are made on line only where the library and the medium allow it', async () => {
    expect((await reserve(1, { source: 'online' })).body.violations[0].propertyPath).toBe('source')
    await setParameter(server, 'online_booking_enabled', '1')
    await sql`update media set online_booking_enabled = true where id = 1`.execute(server.db)
    expect((await reserve(1, { source: 'online' })).body.source).toBe('online')
    await sql`update media set online_booking_enabled = false where id = 1`.execute(server.db)
  })

  it('are refused for who has left, for what does not exist and for a copy of another title, each at its field', async () => {
    expect((await reserve(3)).body.violations[0].propertyPath).toBe('beneficiary_id')
    expect((await reserve(99)).body.violations[0].propertyPath).toBe('beneficiary_id')
    expect((await reserve(1, { reference_id: 99 })).body.violations[0].propertyPath).toBe('reference_id')
    expect((await reserve(1, { copy_id: 2 })).body.violations[0].propertyPath).toBe('copy_id')
    expect((await reserve(1, { site: 99 })).body.violations[0].propertyPath).toBe('site')
  })

  it('are filtered, ordered and exported as they are listed', async () => {
    await reserve(1)
    await reserve(2, { reference_id: 2 })
    const named = async (query: string) =>
      (await biblio.get(`/api/reservations?${query}`)).body['hydra:member'].map(
        (one: { beneficiary_name: string }) => one.beneficiary_name,
      )
    expect(await named('benefsearchname|like=mart')).toEqual(['Alice Martin (M1)'])
    expect(await named('referencesearchname|like=numero 2')).toEqual(['Éric Dupont (M2)'])
    expect(await named('reference_id|eq=1')).toEqual(['Alice Martin (M1)'])
    expect(await named('order[beneficiary_lastname]=asc')).toEqual(['Éric Dupont (M2)', 'Alice Martin (M1)'])
    expect(await named('status|eq=confirmed')).toEqual([])
    const [{ id }] = (await biblio.get('/api/reservations')).body['hydra:member']
    await biblio.put(`/api/reservations/${id}`, { comment: 'Rappeler\n=1+1' })
    const file = await biblio.get('/api/export/reservations?export_type=csv')
    // The cell stays one: its second line is no row that a spreadsheet would run.
    expect(String(file.body)).toContain('"Rappeler\n=1+1"')
    expect(file.headers.get('content-disposition')).toMatch(/reservations-20260310-100000\.csv/)
  })

  it('are fetched from the shelves in the order of a walk along them, each copy for one', async () => {
    await reserve(1, { reference_id: 2 })
    await reserve(2, { reference_id: 1 })
    await reserve(4, { reference_id: 1 })
    const { body } = await biblio.get('/api/reservations/picking?site=1')
    expect(
      body['hydra:member'].map((one: { bar_code: string; beneficiary_name: string }) => [
        one.bar_code,
        one.beneficiary_name,
      ]),
    ).toEqual([
      ['1001', 'Éric Dupont (M2)'],
      ['1002', 'Alice Martin (M1)'],
    ])
  })

  it('have the shelf mark of the label of what is fetched, by which they are walked to', async () => {
    const marks = { 1: { book_number_dewey: '843.8' }, 2: { book_number: ' 590 ', book_number_dewey: '999' } }
    for (const [id, data] of Object.entries(marks)) {
      await sql`update "references" set reference_data = ${JSON.stringify(data)}::jsonb where id = ${Number(id)}`.execute(
        server.db,
      )
    }
    for (const reference_id of [1, 2]) await reserve(2, { reference_id })
    const { body } = await biblio.get('/api/reservations/picking?site=1')
    expect(body['hydra:member'].map((one: { call_number: string | null }) => one.call_number)).toEqual([
      '590',
      '843.8',
    ])
  })

  it('say of what is fetched the day it came back, for it may not be on its shelf yet', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { copy: 1, beneficiary: 1 })
    await biblio.post(`/api/loanings/${loan.id}/return`)
    for (const reference_id of [1, 2]) await reserve(2, { reference_id })
    const { body } = await biblio.get('/api/reservations/picking?site=1')
    expect(
      body['hydra:member'].map((one: { bar_code: string; returned_on: string | null }) => [
        one.bar_code,
        one.returned_on,
      ]),
    ).toEqual([
      ['1001', '2026-03-10'],
      ['1002', null],
    ])
  })

  it('have their journal in words', async () => {
    const id = await reserved(1)
    await set(id, { status: 'refused', comment: 'Perdu' })
    const { body } = await biblio.get(`/api/journal?entity=reservations&id=${id}`)
    expect(JSON.stringify(body)).toContain('Refus')
  })
})
