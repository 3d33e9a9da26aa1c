import { frenchDay } from '../../domain/calendar-day.ts'
import { readerName } from '../../domain/person-names.ts'
import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import type { Entry } from '../../offline/entry.ts'
import { type KnownLibrary, readLibrary } from '../../offline/known-library.ts'
import { frenchInstant } from '../ui/words.ts'

type Body = Record<string, unknown>
type Said = { endpoint: string; params: Record<string, string>; body: Body }

/** Read from the body that is sent, because somebody else may have written its label. */
export const sealedFacts = (entry: Entry): Promise<string[]> =>
  readLibrary((library) =>
    factsOf(library, {
      endpoint: entry.endpoint,
      params: entry.params,
      body: JSON.parse(entry.frozen_body) as Body,
    }),
  )

async function factsOf(library: KnownLibrary | null, { endpoint, params, body }: Said): Promise<string[]> {
  const {
    choice,
    action,
    resolves: _,
    reason: _reason,
    seen_loaning: _seen,
    refused: _refused,
    ...rest
  } = body
  if (endpoint === 'conflicts.settle') {
    const inner = action as { endpoint: string; loaning?: number; body: Body }
    const settled = await factsOf(library, { ...inner, params: { id: String(inner.loaning ?? '') } })
    return [`Décision\u202f: ${choiceOf(choice as SettleChoice).label}`, ...settled, ...termsOf(rest)]
  }
  const { copy, copy_code, beneficiary, beneficiary_code, bar_code, relative, ...terms } = body
  if (endpoint === 'loanings.lend') {
    const found = await library?.copyById(idOf(copy))
    const reader = await library?.beneficiaryById(idOf(beneficiary))
    const kin = reader?.relatives.find(({ id }) => id === idOf(relative))
    return [
      `Prêter ${found ? copyWords(found) : `l’exemplaire ${codeOr(copy_code, copy)}`}`,
      `À ${reader ? readerName(reader) : `la ${beneficiary_code === undefined ? 'personne' : 'carte'} ${codeOr(beneficiary_code, beneficiary)}`}`,
      ...(relative == null ? [] : [`Par ${kin ? kin.name : `son proche nº\u00a0${idOf(relative)}`}`]),
      ...termsOf(terms),
    ]
  }
  if (endpoint === 'loanings.return') {
    const loan = await library?.loanById(Number(params['id']))
    // At a site that is closed to the person a loan tells neither its copy nor its reader.
    if (!loan?.copy_barcode) return [`Rendre le prêt nº\u00a0${params['id'] ?? ''}`, ...termsOf(body)]
    const reader = loan.beneficiary === null ? null : await library?.beneficiaryById(loan.beneficiary)
    return [
      `Rendre ${copyWords({ name: loan.reference_name, bar_code: loan.copy_barcode })}`,
      ...(reader ? [`Prêté à ${readerName(reader)}`] : []),
      ...termsOf(body),
    ]
  }
  const found = await library?.copyByBarCode(String(bar_code))
  return [`Rendre ${found ? copyWords(found) : `l’exemplaire ${String(bar_code)}`}`, ...termsOf(terms)]
}

const copyWords = ({ name, bar_code }: { name: string; bar_code: string }): string =>
  `«\u00a0${name}\u00a0» (${bar_code})`

/** A code as it was read, or the number of what this device does not know. */
const codeOr = (code: unknown, link: unknown): string =>
  typeof code === 'string' ? code : `nº\u00a0${idOf(link)}`

const idOf = (link: unknown): number => Number(/(\d+)$/.exec(String(link))?.[1] ?? 0)

const words: Record<string, (value: string) => string> = {
  start_date: (day) => `Début le ${frenchDay(day)}`,
  expected_return_date: (day) => `Retour prévu le ${frenchDay(day)}`,
  duration_value: (value) => `Durée\u202f: ${value}`,
  amount: (amount) => `Montant\u202f: ${amount.replace('.', ',')}\u00a0€`,
  override_reason: (motive) => `Malgré un refus\u202f: ${motive}`,
  motive: (motive) => `Motif\u202f: ${motive}`,
  comment: (text) => `Commentaire\u202f: ${text}`,
  return_comment: (text) => `Commentaire\u202f: ${text}`,
  state: (code) => `État\u202f: ${code}`,
  occurred_at: (instant) => `Fait le ${frenchInstant(instant)}`,
  happened_at: (instant) => `Daté du ${frenchInstant(instant)}`,
  bar_code: (code) => `Exemplaire ${code}`,
  beneficiary_code: (code) => `Carte ou matricule ${code}`,
}
/** Keys, and units that stand with their value. */
const unsaid = new Set(['device_id', 'loan_key', 'duration_type', 'seen_loaning', 'refused'])

/** Answers to earlier refusals also act. */
function earlierFacts(answer: Body): string[] {
  const { choice, ...rest } = answer
  return [`Décision\u202f: ${choiceOf(choice as SettleChoice).label}`, ...termsOf(rest)]
}

/** Every other field, so that none acts unseen. */
function termsOf(body: Body): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (value === null || value === undefined || unsaid.has(name)) return []
    if (name === 'earlier') return (value as Body[]).flatMap(earlierFacts)
    if (name === 'free') return value === true ? ['Gratuit'] : []
    if (name === 'penalty') return value === false ? ['Sans pénalité'] : []
    if (name === 'despite_reservations') return value === true ? ['Malgré une réservation'] : []
    const said =
      typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
    const say = words[name]
    return [say ? say(said) : `${name}\u202f: ${said}`]
  })
}
