import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { exportBeneficiaries as exportBeneficiariesCall } from '../../contract/beneficiary-changes.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import type { Right } from '../../domain/rights.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { everyBeneficiary } from './beneficiary-queries.ts'
import { tellBeneficiary } from './tell-beneficiary.ts'

/** All readers of a list as a file, in its order; without their right, contact and address have no column. */
export async function exportBeneficiaries(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportBeneficiariesCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { parameters, now, today, caller } = exchange
  async function* rows() {
    for await (const readers of everyBeneficiary(reads, list, exchange))
      yield readers.map((reader) => tellBeneficiary(reader, caller))
  }
  const type = query.export_type
  const about = `${parameters.get('work_council')}, le ${frenchDay(today)}`
  return done({
    name: fileName('beneficiaires', type, now, parameters.get('timezone')),
    type,
    bytes: tableFile(
      { title: 'Bénéficiaires', about, columns: columnsFor(caller.rights), rows: rows() },
      type,
    ),
  })
}

type Column = FileColumn<Beneficiary>

const columnsFor = (rights: ReadonlySet<Right>): Column[] => [
  ...always,
  ...(rights.has('BENEFICIARY_CONTACT') ? contact : []),
  ...(rights.has('BENEFICIARY_ADDRESS') ? address : []),
]

const always: Column[] = [
  { title: 'Matricule', width: 12, kind: 'text', value: ({ matricule }) => matricule },
  { title: 'Nom', width: 22, kind: 'text', value: ({ lastname }) => lastname },
  { title: 'Prénom', width: 18, kind: 'text', value: ({ firstname }) => firstname },
  { title: 'Type', width: 12, kind: 'text', value: ({ kind }) => readerKindNames[kind] },
  { title: 'Année de naissance', width: 10, kind: 'count', value: ({ birth_year }) => birth_year },
  { title: 'Contrat', width: 18, kind: 'text', value: ({ contract_type }) => contract_type },
  { title: 'Statut', width: 18, kind: 'text', value: ({ beneficiary_status }) => beneficiary_status },
  { title: 'Dossiers', width: 20, kind: 'text', value: ({ dossiers }) => dossiers.join(', ') },
  { title: 'Site', width: 18, kind: 'text', value: ({ agency }) => agency },
  { title: 'Numéro de lecteur', width: 16, kind: 'text', value: ({ reader_id }) => reader_id },
  { title: 'Date de sortie', width: 12, kind: 'day', value: ({ exit_date }) => exit_date },
  {
    title: 'Proches',
    width: 30,
    kind: 'text',
    value: ({ relatives }) => relatives.map(({ name }) => name).join(', '),
  },
  { title: 'Prêts en cours', width: 8, kind: 'count', value: ({ open_loans }) => open_loans },
  { title: 'En retard', width: 8, kind: 'count', value: ({ late_loans }) => late_loans },
]

const contact: Column[] = [
  { title: 'Courriel', width: 28, kind: 'text', value: ({ email = null }) => email },
  { title: 'Téléphone', width: 16, kind: 'text', value: ({ phone = null }) => phone },
]

const address: Column[] = [
  { title: 'Adresse', width: 36, kind: 'text', value: (reader) => reader.address ?? null },
  { title: 'Commune', width: 18, kind: 'text', value: ({ commune = null }) => commune },
]
