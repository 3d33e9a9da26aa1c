import * as v from 'valibot'

import type { Described } from '../../src/contract/described.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { settingsLists } from '../../src/contract/settings-lists.ts'

/** What an id or text of a call names; `none` is no id, or names what all sites share. */
export type Named =
  | 'loan'
  | 'sale'
  | 'copy'
  | 'bar code'
  | 'beneficiary'
  | 'card'
  | 'relative'
  | 'site'
  | 'device'
  | 'reservation'
  | 'mail'
  | 'letter'
  | 'none'

/** Rules of the library, which every site shares; codes of every site are set in one place. */
const mediumFields = {
  'body.duration': 'none',
  'body.start_day': 'none',
  'body.end_day': 'none',
  'body.penalty_amount': 'none',
  'body.max_loaning': 'none',
  'body.max_late': 'none',
  'body.max_renewals': 'none',
  'body.analytic.site': 'none',
} as const

/** Numbers of a list of the settings are its own, and every site shares it. */
const namedByList = ({ name, description, move }: Described): [string, Record<string, Named>][] => {
  const numbers = Object.entries(description.fields)
    .filter(([, field]) => 'from' in field)
    .map(([field]) => [`body.${field}`, 'none'] as const)
  const one = { 'params.id': 'none' } as const
  return [
    [`${name}.add`, Object.fromEntries(numbers)],
    [`${name}.change`, { ...one, ...Object.fromEntries(numbers) }],
    [`${name}.remove`, one],
    ...('enabled' in description.fields ? [[`${name}.toggle`, one] as [string, typeof one]] : []),
    ...(move ? [[move.name, { ...one, 'body.into': 'none' }] as [string, Record<string, Named>]] : []),
  ]
}

/**
 * What each field names, by its place (`body.action.body.copy`); the test finds missing ids itself, but codes
 * on labels are added by hand.
 */
export const namedByCalls: Record<string, Record<string, Named>> = {
  ...Object.fromEntries(
    settingsLists.flatMap(namedByList).filter(([, named]) => Object.keys(named).length > 0),
  ),
  'reservations.picking': { 'query.site': 'site' },
  'stats.activity': { 'query.site': 'site' },
  'stats.references': { 'query.site': 'site', 'query.category': 'none', 'query.medium': 'none' },
  'stats_references.export': { 'query.site': 'site', 'query.category': 'none', 'query.medium': 'none' },
  'stats.beneficiaries': { 'query.site': 'site' },
  'stats.beneficiaries_rows': { 'query.site': 'site', 'query.page': 'none' },
  'stats.loanings': { 'query.site': 'site' },
  'stats.active': { 'query.site': 'site' },
  'stats.yearly': { 'query.site': 'site', 'query.year': 'none' },
  'stats.yearly_rows': { 'query.site': 'site', 'query.year': 'none', 'query.page': 'none' },
  'yearly_report.export': { 'query.site': 'site', 'query.year': 'none' },
  'reservations.get': { 'params.id': 'reservation' },
  'reservations.add': {
    'body.beneficiary_id': 'beneficiary',
    'body.reference_id': 'none',
    'body.copy_id': 'copy',
    'body.site': 'site',
    'body.cycle_value': 'none',
  },
  'reservations.change': {
    'params.id': 'reservation',
    'body.beneficiary_id': 'beneficiary',
    'body.reference_id': 'none',
    'body.copy_id': 'copy',
    'body.site': 'site',
    'body.cycle_value': 'none',
    'body.set_aside_copy': 'copy',
  },
  'reservations.remove': { 'params.id': 'reservation' },
  'reservations.pass': { 'params.id': 'reservation' },
  'reservations.next_reader': { 'params.id': 'reservation' },
  'reservations.count_waiting': { 'params.copy': 'copy' },
  'imports.get': { 'params.id': 'none' },
  'imports.change': { 'params.id': 'none', 'body.choices.site': 'site' },
  'imports.check': { 'params.id': 'none' },
  'imports.run': { 'params.id': 'none' },
  'imports.remove': { 'params.id': 'none' },
  'imports.refusals': { 'params.id': 'none' },
  'imports.refused_rows': { 'params.id': 'none' },
  'weeding.put': { 'body.copies': 'copy' },
  'weeding.scan': { 'body.codes': 'bar code' },
  'weeding.change': { 'params.id': 'copy' },
  'weeding.take_out': { 'params.id': 'copy' },
  'weeding.withdraw': { 'body.copies': 'copy' },
  'weeding.export': { 'query.weeding': 'none', 'query.number': 'none' },
  'inventories.get': { 'params.id': 'none' },
  'inventories.add': {
    'body.site': 'site',
    'body.locations': 'none',
    'body.categories': 'none',
    'body.media': 'none',
  },
  'inventories.change': {
    'params.id': 'none',
    'body.site': 'site',
    'body.locations': 'none',
    'body.categories': 'none',
    'body.media': 'none',
  },
  'inventories.remove': { 'params.id': 'none' },
  'inventories.status': { 'params.id': 'none' },
  'inventories.copies': { 'params.id': 'none', 'query.after': 'none' },
  'inventories.scan': {
    'params.id': 'none',
    'body.scans.bar_code': 'bar code',
    'body.scans.copy': 'copy',
    'body.scans.location': 'none',
    'body.scans.revision': 'none',
  },
  'inventories.scans': { 'params.id': 'none' },
  'inventories.progress': { 'params.id': 'none' },
  'inventories.findings': { 'params.id': 'none' },
  'inventories.apply': { 'params.id': 'none' },
  'inventories.export': { 'params.id': 'none' },
  'archives.file': { 'params.id': 'none' },
  'archives.remove': { 'params.id': 'none' },
  'acts.get': { 'params.id': 'none' },
  'acts.rows': { 'params.id': 'none' },
  'acts.undo': { 'params.id': 'none' },
  'loanings.get': { 'params.id': 'loan' },
  'loanings.conditions': { 'params.id': 'loan' },
  'loanings.lend': {
    'body.beneficiary': 'beneficiary',
    'body.beneficiary_code': 'card',
    'body.copy': 'copy',
    'body.copy_code': 'bar code',
    'body.relative': 'relative',
    'body.free_reason': 'none',
    'body.duration_value': 'none',
    'body.amount': 'none',
  },
  'loanings.fast': { 'body.beneficiary': 'beneficiary', 'body.copy': 'copy' },
  'calendar.read': { 'query.bar_code': 'bar code', 'query.weeks': 'none' },
  'calendar.board': { 'query.page': 'none' },
  'sales.get': { 'params.id': 'sale' },
  'sales.sell': {
    'body.beneficiary': 'beneficiary',
    'body.copy': 'copy',
    'body.relative': 'relative',
    'body.free_reason': 'none',
    'body.duration_value': 'none',
    'body.amount': 'none',
  },
  'sales.delete': { 'params.id': 'sale' },
  'loanings.return_copy': { 'body.bar_code': 'bar code' },
  'loanings.lent_copy': { 'query.bar_code': 'bar code' },
  'loanings.update': { 'params.id': 'loan', 'body.duration_value': 'none' },
  'loanings.delete': { 'params.id': 'loan' },
  'loanings.cancel': { 'params.id': 'loan' },
  'loanings.extend': { 'params.id': 'loan', 'body.duration_value': 'none' },
  'loanings.delay': { 'params.id': 'loan', 'body.delay_reason': 'none' },
  'loanings.return': { 'params.id': 'loan' },
  'loanings.undo': { 'params.id': 'loan' },
  'loanings.undo_extension': { 'params.id': 'loan' },
  'eligibility.get': { 'query.beneficiary': 'beneficiary', 'query.copy': 'copy' },
  'conflicts.settle': {
    'body.seen_loaning': 'loan',
    'body.earlier.seen_loaning': 'loan',
    'body.action.loaning': 'loan',
    'body.action.body.beneficiary': 'beneficiary',
    'body.action.body.copy': 'copy',
    'body.action.body.relative': 'relative',
    'body.action.body.free_reason': 'none',
    'body.action.body.duration_value': 'none',
    'body.action.body.amount': 'none',
    'body.action.body.beneficiary_code': 'card',
    'body.action.body.copy_code': 'bar code',
    'body.action.body.bar_code': 'bar code',
    'body.bar_code': 'bar code',
  },
  'beneficiaries.get': { 'params.id': 'beneficiary' },
  'beneficiaries.card': { 'params.id': 'beneficiary' },
  'beneficiaries.add': { 'body.agency_id': 'site' },
  'beneficiaries.data': { 'params.id': 'beneficiary' },
  'beneficiaries.erase': { 'params.id': 'beneficiary' },
  'inactive_readers.erase': { 'body.beneficiaries': 'beneficiary' },
  'beneficiaries.update': {
    'params.id': 'beneficiary',
    'body.agency_id': 'site',
    'body.version': 'none',
  },
  'relatives.add': { 'params.id': 'beneficiary' },
  'relatives.update': { 'params.id': 'relative' },
  'relatives.remove': { 'params.id': 'beneficiary', 'params.relative': 'relative' },
  'beneficiaries.twins': { 'query.except': 'none' },
  'journal.list': { 'query.id': 'beneficiary' },
  'beneficiaries.remind': { 'params.id': 'beneficiary' },
  'bar_codes.count': { 'query.ids': 'none', 'query.site': 'site', 'query.each': 'none' },
  'bar_codes.export': {
    'query.ids': 'none',
    'query.site': 'site',
    'query.each': 'none',
    'query.first': 'none',
    'query.sheet': 'none',
    'query.printer': 'none',
  },
  'bar_codes.calibration': { 'query.sheet': 'none', 'query.printer': 'none' },
  'bar_codes.printed': { 'body.copies': 'copy' },
  'bar_codes.want': { 'body.copies': 'copy' },
  'references.add': { 'body.category': 'none', 'body.medium': 'none', 'body.price': 'none' },
  'references.change': {
    'params.id': 'none',
    'body.category': 'none',
    'body.medium': 'none',
    'body.price': 'none',
    'body.version': 'none',
  },
  'references.remove': { 'params.id': 'none' },
  'references.image': { 'params.id': 'none' },
  'references.image.replace': { 'params.id': 'none' },
  'copies.add': {
    'body.reference': 'none',
    'body.site': 'site',
    'body.location': 'none',
    'body.cycle_value': 'none',
    'body.price': 'none',
  },
  'copies.add_several': {
    'body.count': 'none',
    'body.reference': 'none',
    'body.site': 'site',
    'body.location': 'none',
    'body.cycle_value': 'none',
    'body.price': 'none',
  },
  'copies.change': {
    'params.id': 'copy',
    'body.site': 'site',
    'body.location': 'none',
    'body.cycle_value': 'none',
    'body.price': 'none',
  },
  'copies.remove': { 'params.id': 'copy' },
  // Words of the library, which every site shares.
  'eligibility.rename': { 'params.id': 'none' },
  'list_types.add': { 'body.medium': 'none' },
  'list_types.change': { 'params.id': 'none', 'body.medium': 'none' },
  'list_types.remove': { 'params.id': 'none' },
  'list_types.toggle': { 'params.id': 'none' },
  'list_types.toggle_by_get': { 'params.id': 'none' },
  'list_types.links': { 'params.id': 'none' },
  'list_values.add': { 'body.type': 'none' },
  'list_values.change': { 'params.id': 'none', 'body.type': 'none' },
  'list_values.remove': { 'params.id': 'none' },
  'list_values.toggle': { 'params.id': 'none' },
  'list_values.toggle_by_get': { 'params.id': 'none' },
  'list_values.merge': { 'params.source': 'none', 'params.target': 'none' },
  'list_values.merge_by_get': { 'params.source': 'none', 'params.target': 'none' },
  'reference_fields.change': { 'params.id': 'none' },
  'media.add': mediumFields,
  'media.change': { 'params.id': 'none', ...mediumFields },
  'media.remove': { 'params.id': 'none' },
  'media.toggle': { 'params.id': 'none' },
  'media.upload': { 'params.id': 'none' },
  'media.move': { 'params.id': 'none', 'body.medium': 'none' },
  'media.images_sources.set': { 'params.id': 'none' },
  'media.images_sources.remove': { 'params.id': 'none' },
  'media.conditions': { 'params.id': 'none' },
  // Works are of every site; their copies are not.
  'references.get': { 'params.id': 'none' },
  'parameters.update': { 'params.id': 'none' },
  'translations.change': { 'params.id': 'none' },
  'sites.get': { 'params.id': 'site' },
  'closures.add': { 'body.site': 'site' },
  'closures.change': { 'params.id': 'none', 'body.site': 'site' },
  'closures.remove': { 'params.id': 'none' },
  'closures.preview': { 'body.site': 'site', 'body.spread_days': 'none' },
  'closures.close': { 'body.site': 'site', 'body.spread_days': 'none' },
  'sites.add': {
    'body.gestit_id': 'none',
    'body.bar_codes_configuration.firstValue': 'none',
    'body.open_weekdays': 'none',
    'body.weekly_minutes': 'none',
  },
  'sites.change': {
    'params.id': 'site',
    'body.gestit_id': 'none',
    'body.bar_codes_configuration.firstValue': 'none',
    'body.open_weekdays': 'none',
    'body.weekly_minutes': 'none',
  },
  'sites.next_bar_code': { 'params.id': 'site' },
  'sites.sample_bar_codes': { 'query.firstValue': 'none', 'query.site': 'site' },
  'mail.send': {
    'body.loaning': 'loan',
    'body.reservation': 'reservation',
    'body.beneficiary': 'beneficiary',
    'body.beneficiaries': 'beneficiary',
  },
  'parameters.update_all': { 'body.id': 'none' },
  'mail.draft': { 'params.id': 'reservation' },
  'mail.retry': { 'params.id': 'mail' },
  'mail_templates.save': { 'body.days': 'none' },
  'mail_templates.change': { 'params.id': 'none', 'body.days': 'none' },
  'letters.printed': { 'body.letters': 'letter' },
  'devices.report': {
    'body.waiting': 'none',
    'body.conflicts': 'none',
    'body.quarantined': 'none',
    'body.oldest_age': 'none',
    'body.snapshot_age': 'none',
    'body.storage_used': 'none',
  },
  // Sessions are of people: open-sessions.db.test.ts tries those of others.
  'sessions.end': { 'params.id': 'none' },
  'sessions.end_all': { 'body.user': 'none' },
  // People: users.db.test.ts and profiles.db.test.ts try those out of sight.
  'users.update': { 'params.id': 'none' },
  'users.invite': { 'params.id': 'none' },
  'users.invitation_link': { 'params.id': 'none' },
  'users.take_second_factor_away': { 'params.id': 'none' },
  'profiles.update': { 'params.id': 'none' },
  'profiles.remove': { 'params.id': 'none' },
  'snapshot.get': { 'query.site': 'site' },
  'snapshot.lost_receipts': { 'query.keys': 'none' },
  // Views are of people: views.db.test.ts tries those of others.
  'views.change': { 'params.id': 'none' },
  'views.remove': { 'params.id': 'none' },
}

const part = (schema: v.GenericSchema, name: string) => (schema as unknown as Record<string, unknown>)[name]

/** Takes 1 but no word: an id, or another number. */
const takesAnId = (schema: v.GenericSchema) =>
  [1, '1'].some((id) => v.is(schema, id)) && !v.is(schema, 'a') && !v.is(schema, true)

function fieldsOf(schema: v.GenericSchema, place: string): string[] {
  const inner = (part(schema, 'wrapped') ?? part(schema, 'item')) as v.GenericSchema | undefined
  if (inner) return fieldsOf(inner, place)
  const entries = part(schema, 'entries') as Record<string, v.GenericSchema> | undefined
  if (entries) {
    return Object.entries(entries).flatMap(([name, field]) => fieldsOf(field, `${place}.${name}`))
  }
  if (schema.type === 'variant') {
    const options = part(schema, 'options') as v.GenericSchema[]
    return options.flatMap((option) => fieldsOf(option, place))
  }
  return takesAnId(schema) && schema.type !== 'picklist' ? [place] : []
}

/** The places of a call where an id, or what looks like one, is taken. */
export function idFieldsOf({ params, query, body }: Endpoint): string[] {
  const schemas = { params, query, body }
  const found = Object.entries(schemas).flatMap(([name, schema]) => (schema ? fieldsOf(schema, name) : []))
  return [...new Set(found)]
}
