import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { Medium } from '../../contract/media.ts'
import type { SnapshotBeneficiary } from '../../contract/snapshot.ts'
import { centsOf } from '../../domain/money.ts'
import { findBeneficiary } from '../../offline/counter.ts'
import { firstDue } from '../../offline/open-loans.ts'
import { doubtsAbout } from '../../offline/judge-lend.ts'
import type { Connection } from '../api/connection.ts'
import { serverFirst } from '../api/server-first.ts'
import { beneficiaryQuery } from '../beneficiaries/beneficiary-data.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import type { ReaderRules } from '../loans/reader-verdict.ts'

/** `site` is unknown off line, and only the server tells the wallet. */
export type CardFacts = {
  contract: string | null
  site: string | null
  exit_date: string | null
  message: string
  wallet: string | null
  /** Null where nobody told. */
  rules: ReaderRules | null
  /** Empty when the server told it. */
  doubts: readonly string[]
}

/** Off line, each minute makes the data older. */
const ageMs = 60_000

export const cardFactsQuery = (id: number, connection: Connection) =>
  queryOptions({
    queryKey: ['beneficiaries', 'card', id, connection],
    placeholderData: keepPreviousData,
    refetchInterval: connection === 'offline' ? ageMs : false,
    queryFn: ({ client }): Promise<CardFacts> =>
      serverFirst(
        async () => factsOfServer(await client.fetchQuery(beneficiaryQuery(id))),
        async () => {
          const [kept, doubts] = await Promise.all([findBeneficiary(id), doubtsAbout(id)])
          return { ...(kept ? factsOfDevice(kept) : nothingKnown), doubts }
        },
      ),
  })

/** The wallet is shown only if zero or more. */
const factsOfServer = ({
  contract_type,
  beneficiary_status,
  dossiers,
  agency,
  exit_date,
  message,
  wallet_amount,
}: Beneficiary): CardFacts => ({
  contract: contract_type,
  site: agency,
  exit_date,
  message,
  wallet:
    wallet_amount !== null && !wallet_amount.startsWith('-') && centsOf(wallet_amount) >= 0
      ? wallet_amount
      : null,
  rules: { contract_type, beneficiary_status, dossiers, exit_date },
  doubts: [],
})

const nothingKnown = { contract: null, site: null, exit_date: null, message: '', wallet: null, rules: null }

const factsOfDevice = ({
  contract_type,
  beneficiary_status,
  dossiers,
  exit_date,
  message,
}: SnapshotBeneficiary): Omit<CardFacts, 'doubts'> => ({
  contract: contract_type,
  site: null,
  exit_date,
  message,
  wallet: null,
  rules: { contract_type, beneficiary_status, dossiers, exit_date },
})

type MediumCount = { name: string; open: number; max: number | null }

export function countByMedium(
  loans: readonly Pick<HeldLoan, 'medium'>[],
  media: readonly Medium[],
): MediumCount[] {
  return media
    .map(({ id, name, max_loaning }) => ({
      name,
      open: loans.filter(({ medium }) => medium === id).length,
      max: max_loaning,
    }))
    .filter(({ open }) => open > 0)
}

/** Then the first due. */
export const lateFirst = (a: HeldLoan, b: HeldLoan): number =>
  Number(b.late) - Number(a.late) || firstDue(a, b)
