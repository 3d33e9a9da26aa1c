import { useCallbackRef } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconBookmark,
  IconBooks,
  IconEye,
  IconId,
  IconPencil,
  IconShoppingBag,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { type Beneficiary } from '../../contract/beneficiaries.ts'
import { printCard, updateBeneficiary } from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import { call } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { addressOfReaderLoans } from '../loans/reader-loans.ts'
import { say, sayError } from '../page/messages.ts'
import { useReservationForms } from '../queue/reservation-addresses.ts'
import { addressOf, addressOfReader } from '../ui/address-of.ts'
import { useOpenDetail } from '../ui/lists/open-detail.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { saveFile } from '../ui/save-file.ts'
import { printCardsLabel, printCardsOf } from './print-cards.ts'

const EndDialog = lazy(() => import('./end-dialog.tsx'))

type ReaderActionKey = 'lend' | 'reserve' | 'return' | 'loans' | 'view' | 'edit' | 'card' | 'end' | 'resume'

type ReaderAction = Pick<RowAction<Beneficiary>, 'label' | 'Icon' | 'tone'> & {
  right: Right
  may?: (reader: Beneficiary) => boolean
}

/** By right, the most used first. */
const readerActions: Record<ReaderActionKey, ReaderAction> = {
  lend: {
    label: 'Prêter',
    Icon: IconShoppingBag,
    right: 'LOANING_ADD',
    may: ({ is_active }) => is_active,
  },
  loans: { label: 'Ses prêts', Icon: IconBooks, right: 'LIST_LOANINGS' },
  return: {
    label: 'Rendre',
    Icon: IconArrowBackUp,
    right: 'LOANING_RETURN',
    may: ({ open_loans }) => open_loans > 0,
  },
  reserve: {
    label: 'Réserver',
    Icon: IconBookmark,
    right: 'RESERVATION_EDIT',
    may: ({ is_active }) => is_active,
  },
  view: { label: 'Voir', Icon: IconEye, right: 'LIST_BENEFICIARIES' },
  edit: { label: 'Modifier', Icon: IconPencil, right: 'BENEFICIARY_EDIT' },
  card: { label: 'Imprimer la carte', Icon: IconId, right: 'LIST_BENEFICIARIES' },
  end: {
    label: 'Mettre fin à l’inscription',
    Icon: IconUserOff,
    right: 'BENEFICIARY_EDIT',
    tone: 'bad',
    may: ({ is_active }) => is_active,
  },
  resume: {
    label: 'Réinscrire',
    Icon: IconUserCheck,
    right: 'BENEFICIARY_EDIT',
    may: ({ exit_date }) => exit_date !== null,
  },
}

/** What is done at once to those that are ticked. */
const several: Partial<Record<ReaderActionKey, Pick<RowAction<Beneficiary>, 'labelOfAll' | 'runAll'>>> = {
  card: {
    labelOfAll: printCardsLabel,
    runAll: (readers) =>
      printCardsOf({
        filters: [{ field: 'id', operator: 'in', value: readers.map(({ id }) => id) }],
        order: [{ field: 'lastname', direction: 'asc' }],
      }),
  },
}

const noRights: readonly Right[] = []

/** What the person may do with a reader, in the list and on the reader's own page. */
export function useReaderActions(): { actions: readonly RowAction<Beneficiary>[]; dialog: ReactNode } {
  const navigate = useNavigate()
  const { open: openDetail, openForm } = useOpenDetail()
  const rights = useSession()?.user?.rights ?? noRights
  const update = useChange(updateBeneficiary)
  const { reserve } = useReservationForms()
  const [ending, setEnding] = useState<Beneficiary | null>(null)
  const resume = async (reader: Beneficiary) => {
    await update.mutateAsync({
      params: { id: reader.id },
      body: { exit_date: null, version: reader.version },
    })
    say('Inscription reprise.', 'good', { about: fullName(reader) })
  }
  const verbs: Record<ReaderActionKey, (reader: Beneficiary) => unknown> = {
    lend: ({ id }) => navigate(addressOf('/loaning/add', { beneficiary: id })),
    reserve: ({ id }) => reserve({ beneficiary: id }),
    return: ({ id }) => navigate(addressOf('/loaning/return', { beneficiary: id })),
    loans: (reader) => navigate(addressOfReaderLoans(reader.matricule, fullName(reader))),
    view: ({ id }) => openDetail(addressOfReader(id)),
    edit: ({ id }) => openForm(`/beneficiaries/edit/${id}`, addressOfReader(id)),
    card: ({ id }) =>
      call(printCard, { params: { id } }).then(saveFile, (error: unknown) =>
        sayError(error, 'La carte n’a pas pu être faite.'),
      ),
    end: setEnding,
    resume,
  }
  const run = useCallbackRef((key: ReaderActionKey, reader: Beneficiary) => verbs[key](reader))
  const actions = useMemo(
    () =>
      (Object.keys(readerActions) as ReaderActionKey[])
        .filter((key) => rights.includes(readerActions[key].right))
        .map((key): RowAction<Beneficiary> => {
          const { right: _, ...action } = readerActions[key]
          return { ...action, ...several[key], key, run: (reader) => run(key, reader) }
        }),
    [rights, run],
  )
  return {
    actions,
    dialog: ending ? (
      <Suspense fallback={null}>
        <EndDialog reader={ending} onClose={() => setEnding(null)} />
      </Suspense>
    ) : null,
  }
}
