import { type Beneficiary, getBeneficiary } from '../../contract/beneficiaries.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { becameWords, ChangedSince, type Difference } from '../ui/forms/changed-since.tsx'

export const toReaders = { to: '/beneficiaries', label: 'Voir les lecteurs' }

type ReaderChangedSinceProps = {
  /** Why the server refused the form, where it did. */
  error: unknown
  /** The reader as the form was opened on. */
  opened: Beneficiary
  version: string
  onTakeOver: (version: string) => void
  onGiveUp: () => void
}

/** Of two people on one reader, shows the second what the first one changed. */
export function ReaderChangedSince({
  error,
  opened,
  version,
  onTakeOver,
  onGiveUp,
}: ReaderChangedSinceProps) {
  const isBehind = error instanceof CallError && (error.reason === 'CHANGED_SINCE' || error.status === 404)
  if (!isBehind) return null
  return (
    <ChangedSince
      noun="cette fiche"
      queryKey={['beneficiaries', 'one', opened.id]}
      read={(signal) => call(getBeneficiary, { params: { id: opened.id }, signal })}
      differencesOf={(now) => differencesOf(opened, now)}
      version={version}
      onTakeOver={onTakeOver}
      onGiveUp={onGiveUp}
      lead={toReaders}
    />
  )
}

/** In the words of the form, and of nothing that the person has no right to, which is told to neither. */
const differencesOf = (before: Beneficiary, now: Beneficiary): Difference[] => {
  const after = readableOf(now)
  return Object.entries(readableOf(before)).flatMap(([label, was]) => {
    const then = after[label] ?? ''
    return was === then ? [] : [{ label, words: becameWords(was, then) }]
  })
}

const readableOf = (reader: Beneficiary): Record<string, string> => ({
  Type: readerKindNames[reader.kind],
  Nom: reader.lastname,
  Prénom: reader.firstname,
  'Année de naissance': String(reader.birth_year ?? ''),
  Matricule: reader.matricule,
  Courriel: reader.email ?? '',
  Téléphone: reader.phone ?? '',
  Adresse: reader.address ?? '',
  Commune: reader.commune ?? '',
  Contrat: reader.contract_type ?? '',
  Statut: reader.beneficiary_status ?? '',
  Dossiers: reader.dossiers.join(', '),
  Site: reader.agency ?? '',
  'Numéro de lecteur': reader.reader_id ?? '',
  Message: reader.message,
  'Date de sortie': reader.exit_date === null ? '' : frenchDay(reader.exit_date),
})
