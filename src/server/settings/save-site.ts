import { sql } from 'kysely'

import type { addSite as addSiteCall, changeSite as changeSiteCall } from '../../contract/site-changes.ts'
import { type Site, sites } from '../../contract/sites.ts'
import { defaultSymbology, type LabelSymbology } from '../../domain/label-symbologies.ts'
import { type BarCodesConfiguration, numberingFault } from '../../domain/site-bar-code.ts'
import { noSuchSite } from '../catalogue/next-bar-code.ts'
import type { Trx } from '../db/handles.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import { takenField } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { changingOpenings } from '../http/openings-change.ts'
import { done, notFound, type Outcome, refuse, violation } from '../http/outcome.ts'
import { isSiteOpen, seenByAll } from '../visibility/visibility.ts'

export const siteRows = source(sites, {
  from: sql`sites s`,
  where: sql`s.deleted_at is null`,
  seen: seenByAll,
  id: sql`s.id`,
  columns: ownColumns(
    's',
    'name',
    'enabled',
    'gestit_id',
    'bar_codes_configuration',
    'last_reference',
    'open_weekdays',
    'weekly_minutes',
  ),
  sorts: { name: sql`search_text(s.name)` },
})

const taken = {
  name: 'Un site porte déjà ce nom.',
  gestit_id: 'Un autre site porte déjà ce numéro.',
}

export async function addSite(
  trx: Trx,
  { body }: VerbInput<typeof addSiteCall>,
  exchange: Exchange,
): Promise<Outcome<Site>> {
  // Whoever works at some sites would add one that they could not open.
  if (exchange.visibility.open !== null) return addsNone
  const {
    name,
    gestit_id = null,
    enabled = true,
    bar_codes_configuration,
    open_weekdays,
    weekly_minutes,
  } = body
  const refused = enabled ? await refusesAnother(trx, null) : null
  if (refused) return refused
  const configuration = bar_codes_configuration && numberedAs(bar_codes_configuration, defaultSymbology)
  const fault = configuration && numberingFault(configuration)
  if (fault) return violation('bar_codes_configuration.symbology', fault)
  return untaken(async () => {
    const { id } = await trx
      .insertInto('sites')
      .values({
        name,
        gestit_id,
        enabled,
        deleted_at: null,
        date_update: exchange.now.toISOString(),
        ...(configuration ? { bar_codes_configuration: configuration } : {}),
        ...(open_weekdays ? { open_weekdays } : {}),
        ...(weekly_minutes === undefined ? {} : { weekly_minutes }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return journalChange(trx, exchange, { id, before: null, action: 'sites.add' })
  })
}

export async function changeSite(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof changeSiteCall>,
  exchange: Exchange,
): Promise<Outcome<Site>> {
  // All of them, in one order: of two that are put out of service at once, the second sees the first.
  await sql`select from sites where deleted_at is null order by id for no key update`.execute(trx)
  const before = await siteRows.find(trx, id)
  if (!before) return notFound(noSuchSite)
  // Its week and its numbers decide on what is lent and labelled there, as its closures do.
  if (!isSiteOpen(exchange.visibility, id)) return siteClosed
  const { enabled = before.enabled, bar_codes_configuration, ...rest } = body
  const numbering =
    bar_codes_configuration && numberedAs(bar_codes_configuration, before.bar_codes_configuration.symbology)
  const fault = numbering && numberingFault(numbering)
  if (fault) return violation('bar_codes_configuration.symbology', fault)
  if (enabled !== before.enabled) {
    const refused = await (enabled
      ? refusesAnother(trx, id)
      : refusesFewer(trx, id, exchange.visibility.open))
    if (refused) return refused
  }
  const { siteCode, firstValue } = before.bar_codes_configuration
  const isNumberedOtherwise =
    numbering !== undefined && (numbering.siteCode !== siteCode || numbering.firstValue !== firstValue)
  return untaken(async () => {
    await trx
      .updateTable('sites')
      .set({
        ...rest,
        ...(body.enabled === undefined ? {} : { enabled }),
        ...(numbering ? { bar_codes_configuration: numbering } : {}),
        ...(isNumberedOtherwise ? { last_number: null } : {}),
        date_update: exchange.now.toISOString(),
      })
      .where('id', '=', id)
      .execute()
    return journalChange(trx, exchange, { id, before, action: 'sites.change' })
  })
}

const addsNone = refuse({
  status: 403,
  message: 'Seul un compte ouvert à tous les sites peut en ajouter un.',
  reason: 'SITE_CLOSED',
})

const siteClosed = refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })

type Given = Omit<BarCodesConfiguration, 'symbology'> & { symbology?: LabelSymbology | undefined }

const numberedAs = (
  { siteCode, firstValue, symbology }: Given,
  otherwise: LabelSymbology,
): BarCodesConfiguration => ({ siteCode, firstValue, symbology: symbology ?? otherwise })

async function journalChange(
  trx: Trx,
  exchange: Exchange,
  { id, before, action }: { id: number; before: Site | null; action: string },
): Promise<Outcome<Site>> {
  const after = await siteRows.find(trx, id)
  if (!after) throw new Error('a site under lock has gone')
  if (JSON.stringify(before) === JSON.stringify(after)) return done(after)
  await journal(trx, exchange, { action, entity: 'sites', entity_id: id, before, after })
  return changingOpenings(exchange.environment, done(after))
}

const untaken = (work: () => Promise<Outcome<Site>>) =>
  work().catch((error: unknown) => takenField(error, 'sites', taken))

/** Locks the parameter, so that it cannot be switched off while a second site comes into service. */
async function refusesAnother(trx: Trx, id: number | null) {
  const parameter = await trx
    .selectFrom('parameters')
    .select('value')
    .where('code', '=', 'multisite')
    .forShare()
    .executeTakeFirst()
  if (parameter?.value === '1') return null
  const others = await othersInService(trx, id)
  return others === 0
    ? null
    : violation(
        'enabled',
        'Un autre site est en service\u202f: activez d’abord le paramètre «\u00a0Plusieurs sites\u00a0» (Réglages, Paramètres généraux).',
      )
}

/** The library always has a site, and whoever puts one out of service has another to bring it back from. */
async function refusesFewer(trx: Trx, id: number, own: readonly number[] | null) {
  if ((await othersInService(trx, id)) === 0)
    return violation('enabled', 'C’est le seul site en service\u202f: il en faut un.')
  return own === null || (await othersInService(trx, id, own)) > 0
    ? null
    : violation(
        'enabled',
        'C’est votre seul site en service\u202f: un compte d’un autre site peut l’arrêter.',
      )
}

async function othersInService(
  trx: Trx,
  id: number | null,
  among: readonly number[] | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sites
    where enabled and deleted_at is null and id is distinct from ${id}::integer
      and (${among}::integer[] is null or id = any(${among}::integer[]))`.execute(trx)
  return rows[0]?.count ?? 0
}
