import { sql } from 'kysely'

import type { Sale, sellCopy as sellCopyCall } from '../../contract/sales.ts'
import { type CalendarDay, daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { notAvailable, withdrawnFromStock } from '../../domain/copy-obstacles.ts'
import { eligibilityRefusals } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import { relativeName } from '../library-facts/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, type Refused, violation, violations } from '../http/outcome.ts'
import { type CirculatingCopy, copyFacts, openLoanOf } from '../loans/circulating-copy.ts'
import { happenedAt } from '../loans/happened-at.ts'
import { lockToLend } from '../loans/lending-facts.ts'
import { outOfService, siteOfLoan, sitesOutOfService } from '../loans/site-of-loan.ts'
import { copyFact, holderFact, holderWords } from '../loans/serialize-loan.ts'
import { releaseCopy } from '../queue/lock-queue.ts'
import { isReaderOpen, isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { getSale, serializeSale } from './sale-queries.ts'

/** The furthest day back, as for the start of a loan. */
const furthestBackDays = 366

type Sell = VerbInput<typeof sellCopyCall>['body']

type SellingFacts = CirculatingCopy & {
  sold_on: CalendarDay | null
  /** Null where there is no such reader. */
  reader: number | null
  agency_id: number | null
  exit_date: CalendarDay | null
  is_active: boolean
  relative_name: string | null
  free_reason_name: string | null
  out_of_service: { id: number; name: string }[]
}

/** Sells a copy of type Vente, which leaves the stock; of the reader, only being active is asked (decision 0040). */
export async function sellCopy(
  trx: Trx,
  { body }: VerbInput<typeof sellCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Sale>> {
  const happened = happenedAt(exchange, body.occurred_at)
  if (!happened.ok) return happened
  const { at, day, received_at } = happened.answer

  await lockToLend(trx, body)
  const facts = await sellingFacts(trx, body)
  if (!facts) return violation('copy', 'Cet exemplaire n’existe pas.')
  // Before the copy's loan is looked at, because who has it is not for guessing.
  if (facts.reader !== null && !isReaderOpen(exchange.visibility, facts.agency_id)) return noSuchReader
  const refusal =
    (await whyNotForSale(trx, facts, exchange.visibility)) ??
    (facts.reader === null ? noSuchReader : null) ??
    whyUnlinked(body, facts)
  if (refusal) return refusal

  const site = siteOfLoan(facts, exchange)
  const closed = facts.out_of_service.find(({ id }) => id === site)
  if (closed) return outOfService(closed.name, 'vend')

  const date = body.start_date ?? day
  if (date > exchange.today) return violation('start_date', 'Une vente ne se date pas d’avance.')
  if (daysBetween(date, exchange.today) > furthestBackDays) {
    return violation('start_date', 'La date de la vente est à plus d’un an d’aujourd’hui.')
  }
  const inactive = whyInactive(facts, date)
  if (inactive.length > 0) {
    const told = inactive.map(({ message }) => ({ propertyPath: 'beneficiary', message }))
    return violations(told, 'NOT_ELIGIBLE', { copy: facts.id, beneficiary: body.beneficiary })
  }

  const free = body.free ?? false
  const { id } = await trx
    .insertInto('sales')
    .values({
      beneficiary: body.beneficiary,
      relative: body.relative ?? null,
      copy: facts.id,
      site,
      date,
      price: free ? '0.00' : (body.amount ?? facts.price),
      free,
      free_reason: free ? (body.free_reason ?? null) : null,
      comment: body.comment ?? '',
      sold_by: exchange.caller.user_id,
      sold_at: at,
      sold_received_at: received_at,
      device_id: exchange.device_id ?? body.device_id ?? null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('copies')
    .set({ status: 'Non Disponible', withdrawn_on: date, withdrawal_reason: soldReason })
    .where('id', '=', facts.id)
    .execute()
  await releaseCopy(trx, facts)
  const sale = await getSale(trx, id)
  await journal(trx, exchange, {
    action: 'sale.sell',
    entity: 'sales',
    entity_id: id,
    after: sale,
    device_id: body.device_id,
  })
  return done(serializeSale(exchange.visibility, sale))
}

/** Why a sold copy has left the stock, for whoever counts what leaves. */
const soldReason = 'Vendu'

const noSuchReader = violation('beneficiary', 'Ce lecteur n’existe pas.')

/** The facts of a locked copy and reader; null when there is no such copy. */
async function sellingFacts(
  trx: Trx,
  { copy, beneficiary, relative = null, free_reason = null }: Sell,
): Promise<SellingFacts | null> {
  const { rows } = await sql<SellingFacts>`
    select ${copyFacts}, (select s.date from sales s where s.copy = c.id and s.deleted_at is null) as sold_on,
      b.id as reader, b.agency_id, b.exit_date, b.deleted_at is null as is_active,
      (select ${relativeName} from relatives rel
        where rel.id = ${relative} and rel.beneficiary = b.id and rel.deleted_at is null) as relative_name,
      (select fr.name from reasons fr
        where fr.id = ${free_reason} and fr.type = 'free' and fr.deleted_at is null) as free_reason_name,
      ${sitesOutOfService} as out_of_service
    from copies c join "references" r on r.id = c.reference left join media m on m.id = r.medium
      left join beneficiaries b on b.id = ${beneficiary}
    where c.id = ${copy}`.execute(trx)
  return rows[0] ?? null
}

async function whyNotForSale(trx: Trx, copy: SellingFacts, visibility: Visibility): Promise<Refused | null> {
  // It would leave a stock that nobody here may look at.
  if (!isSiteOpen(visibility, copy.site)) {
    return violation('copy', 'Cet exemplaire est d’un autre site\u202f: il se vend là-bas.')
  }
  const title = `«\u00a0${copy.name}\u00a0»`
  if (copy.deleted) {
    return conflict('COPY_WITHDRAWN', withdrawnFromStock(copy.name), {
      copy: copyFact(visibility, copy),
    })
  }
  if (copy.sold_on !== null) {
    return conflict('COPY_UNAVAILABLE', `${title} a été vendu le ${frenchDay(copy.sold_on)}.`, {
      status: copy.status,
    })
  }
  const loaning = copy.status === 'En Location' ? await openLoanOf(trx, copy.id) : null
  if (loaning) {
    return conflict(
      'ALREADY_LENT',
      `${title} est prêté à ${holderWords(visibility, loaning)}\u202f: il se vend une fois rendu.`,
      {
        loaning: holderFact(visibility, loaning),
      },
    )
  }
  if (copy.status !== 'Disponible') {
    return conflict('COPY_UNAVAILABLE', notAvailable(copy.name, copy.status), {
      status: copy.status,
    })
  }
  return copy.type === 'Vente' ? null : violation('copy', `${title} se prête et ne se vend pas.`)
}

function whyUnlinked({ relative, free, free_reason }: Sell, facts: SellingFacts): Refused | null {
  if (relative && facts.relative_name === null)
    return violation('relative', 'Ce proche n’est pas celui du lecteur.')
  if (!free_reason) return null
  if (!free) return violation('free_reason', 'Un motif de gratuité demande une vente gratuite.')
  return facts.free_reason_name === null
    ? violation('free_reason', 'Ce motif de gratuité n’existe pas.')
    : null
}

const anyone = { contracts: [], statuses: [], dossiers: [] }

const whyInactive = ({ exit_date, is_active }: SellingFacts, date: CalendarDay) =>
  eligibilityRefusals({
    start_date: date,
    beneficiary: { exit_date, is_active, contract_type: null, beneficiary_status: null, dossiers: [] },
    medium: { name: '', max_loaning: null, max_late: null, eligibility: anyone },
    open_loans: 0,
    late_loans: 0,
  })
