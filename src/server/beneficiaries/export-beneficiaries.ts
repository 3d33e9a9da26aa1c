import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { exportBeneficiaries as exportBeneficiariesCall } from '../../contract/beneficiary-changes.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import type { Right } from '../../domain/rights.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import type { ServedFile } from '../http/served-file.ts'
import { everyBeneficiary, serializeBeneficiary } from './beneficiary-queries.ts'

/** All readers of a list as a file, in its order; without their right, contact and address have no column. */
export function exportBeneficiaries(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportBeneficiariesCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { caller } = exchange
  async function* rows() {
    for await (const readers of everyBeneficiary(reads, list, exchange))
      yield readers.map((reader) => serializeBeneficiary(reader, caller))
  }
  return listFile(reads, query, exchange, {
    holds: 'beneficiaires',
    title: 'Lecteurs',
    columns: columnsFor(caller.rights),
    rows,
  })
}

type Column = KeyedColumn<Beneficiary>

const columnsFor = (rights: ReadonlySet<Right>): Column[] => [
  ...always,
  ...(rights.has('BENEFICIARY_CONTACT') ? contact : []),
  ...(rights.has('BENEFICIARY_ADDRESS') ? address : []),
]

const always: Column[] = [
  { key: 'matricule', title: 'Matricule', width: 12, kind: 'text', value: 'matricule' },
  { key: 'lastname', title: 'Nom', width: 22, kind: 'text', value: 'lastname' },
  { key: 'firstname', title: 'Prénom', width: 18, kind: 'text', value: 'firstname' },
  { key: 'kind', title: 'Type', width: 12, kind: 'text', value: ({ kind }) => readerKindNames[kind] },
  { key: 'birth_year', title: 'Année de naissance', width: 10, kind: 'count', value: 'birth_year' },
  { key: 'contract', title: 'Contrat', width: 18, kind: 'text', value: 'contract_type' },
  { key: 'status', title: 'Statut', width: 18, kind: 'text', value: 'beneficiary_status' },
  {
    key: 'dossiers',
    title: 'Dossiers',
    width: 20,
    kind: 'text',
    value: ({ dossiers }) => dossiers.join(', '),
  },
  { key: 'agency', title: 'Site', width: 18, kind: 'text', value: 'agency' },
  { key: 'reader_id', title: 'Numéro de lecteur', width: 16, kind: 'text', value: 'reader_id' },
  { key: 'exit', title: 'Date de sortie', width: 12, kind: 'day', value: 'exit_date' },
  {
    key: 'relatives',
    title: 'Proches',
    width: 30,
    kind: 'text',
    value: ({ relatives }) => relatives.map(({ name }) => name).join(', '),
  },
  { key: 'open_loans', title: 'Prêts en cours', width: 8, kind: 'count', value: 'open_loans' },
  { key: 'late_loans', title: 'En retard', width: 8, kind: 'count', value: 'late_loans' },
]

const contact: Column[] = [
  { key: 'email', title: 'Courriel', width: 28, kind: 'text', value: ({ email = null }) => email },
  { key: 'phone', title: 'Téléphone', width: 16, kind: 'text', value: ({ phone = null }) => phone },
]

const address: Column[] = [
  { key: 'address', title: 'Adresse', width: 36, kind: 'text', value: (reader) => reader.address ?? null },
  { key: 'commune', title: 'Commune', width: 18, kind: 'text', value: ({ commune = null }) => commune },
]
