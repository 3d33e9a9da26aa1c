import type { Copy } from '../../contract/catalogue.ts'
import type { addCopies as addCopiesCall, addCopy as addCopyCall } from '../../contract/copies.ts'
import { collection, type Collection } from '../../contract/list.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, type Refused, violation, violations } from '../http/outcome.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { copiesByIds, getCopy } from './copy-queries.ts'
import { takeNextBarCodes } from './next-bar-code.ts'
import { copyRefusal, wantLabelsOf, whyTaken } from './write-copy.ts'

export async function addCopy(
  trx: Trx,
  { body }: VerbInput<typeof addCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const { visibility } = exchange
  const place = await placeOfNew(trx, body, visibility)
  if (!place.ok) return place
  const { reference, site } = place.answer
  const refusal = await copyRefusal(trx, body, null, { reference: reference.id, visibility })
  if (refusal) return refusal
  const given = body.bar_code === undefined ? await takeNextBarCodes(trx, site, 1) : done([body.bar_code])
  if (!given.ok) return given
  const { id } = await trx
    .insertInto('copies')
    .values({ type: reference.type, ...body, bar_code: given.answer[0]! })
    .returning('id')
    .executeTakeFirstOrThrow()
  await wantLabelsOf(trx, [id], exchange.now)
  const after = await getCopy(trx, id, visibility)
  await journal(trx, exchange, { action: 'copies.add', entity: 'copies', entity_id: id, after })
  return done(after)
}

type PlaceOfNew = { reference: { id: number; type: Copy['type'] }; site: number }

/** The title and the site of new copies, which stay until the transaction ends. */
async function placeOfNew(
  trx: Trx,
  body: { reference: number; site: number },
  visibility: Visibility,
): Promise<{ ok: true; answer: PlaceOfNew } | Refused> {
  const reference = await trx
    .selectFrom('references')
    .select(['id', 'type'])
    .where('id', '=', body.reference)
    .where('deleted_at', 'is', null)
    // A deletion of the reference waits, and then sees these copies.
    .forKeyShare()
    .executeTakeFirst()
  if (!reference) return violation('reference', 'Cette référence n’existe pas.')
  const site = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', body.site)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!site || !isSiteOpen(visibility, site.id)) return violation('site', 'Ce site n’existe pas.')
  return { ok: true, answer: { reference, site: site.id } }
}

/** Adds copies that are alike but for their codes: all of them, or none. */
export async function addCopies(
  trx: Trx,
  { body }: VerbInput<typeof addCopiesCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<Copy>>> {
  const { visibility } = exchange
  const { count, bar_codes, ...alike } = body
  const place = await placeOfNew(trx, body, visibility)
  if (!place.ok) return place
  const { reference, site } = place.answer
  const refusal = await copyRefusal(trx, alike, null, { reference: reference.id, visibility })
  if (refusal) return refusal
  const given = await codesOf(trx, { count, bar_codes, site }, visibility)
  if (!given.ok) return given
  const rows = await trx
    .insertInto('copies')
    .values(given.answer.map((bar_code) => ({ type: reference.type, ...alike, bar_code })))
    .returning(['id', 'bar_code'])
    .execute()
  const idOf = new Map(rows.map(({ id, bar_code }) => [bar_code, id]))
  const added = await copiesByIds(
    trx,
    given.answer.map((bar_code) => idOf.get(bar_code)!),
    visibility,
  )
  await wantLabelsOf(
    trx,
    added.map(({ id }) => id),
    exchange.now,
  )
  for (const after of added) {
    await journal(trx, exchange, { action: 'copies.add', entity: 'copies', entity_id: after.id, after })
  }
  return done(collection(added))
}

type Asked = { count: number | undefined; bar_codes: readonly string[] | undefined; site: number }

async function codesOf(
  trx: Trx,
  { count, bar_codes, site }: Asked,
  visibility: Visibility,
): Promise<Outcome<string[]>> {
  if ((count === undefined) === (bar_codes === undefined)) {
    return violation('count', 'Dites combien d’exemplaires, ou le code-barres de chacun.')
  }
  if (count !== undefined) return takeNextBarCodes(trx, site, count)
  if (bar_codes === undefined || bar_codes.length === 0) {
    return violation('bar_codes', 'Il faut au moins un code-barres.')
  }
  const refused = await refusedCodes(trx, bar_codes, visibility)
  return refused.length > 0 ? violations(refused) : done([...bar_codes])
}

/** Each refusal at its line, counted from 0. */
async function refusedCodes(trx: Trx, codes: readonly string[], visibility: Visibility) {
  const why = new Map<string, string>()
  // In one order, so that two lists with the same codes wait for each other and not crosswise.
  for (const code of [...new Set(codes)].toSorted((one, other) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  )) {
    const taken = await whyTaken(trx, code, visibility)
    if (taken !== null) why.set(code, taken)
  }
  const alike = codes.map((code) => code.toLowerCase())
  return codes.flatMap((code, at) => {
    const first = alike.indexOf(alike[at]!)
    const message =
      why.get(code) ?? (first < at ? `Le code-barres ${code} est déjà à la ligne ${first + 1}.` : null)
    return message === null ? [] : [{ propertyPath: `bar_codes.${at}`, message }]
  })
}
