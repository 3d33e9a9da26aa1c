import {
  IconBarcode,
  IconBookmark,
  IconBookmarkPlus,
  IconEye,
  IconHistory,
  IconListDetails,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Reference } from '../../contract/catalogue.ts'
import { removeReference } from '../../contract/references.ts'
import type { Right } from '../../domain/rights.ts'
import { useChange } from '../api/queries.ts'
import { useRights } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { addressOfQueue, useReservationForms } from '../queue/reservation-addresses.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { useOpenDetail } from '../ui/lists/open-detail.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useJournal } from '../ui/lists/use-journal.tsx'
import { counted } from '../ui/words.ts'
import { addressOfHistory, addressOfReference } from './reference-data.ts'

const AddCopyDialog = lazy(async () => ({ default: (await import('./copy-dialog.tsx')).AddCopyDialog }))
const CopiesDialog = lazy(() => import('./copies-dialog.tsx'))

type Open = { verb: 'addCopy' | 'copies'; reference: Reference } | null

/** The person's actions on references, with one set of dialogs for any number. Render `dialog` once. */
export function useReferenceActions({ onDeleted }: { onDeleted?: () => void } = {}): {
  actions: readonly RowAction<Reference>[]
  dialog: ReactNode
} {
  const navigate = useNavigate()
  const { open: openDetail, openForm } = useOpenDetail()
  const { reserve } = useReservationForms()
  const confirm = useConfirm()
  const rights = useRights()
  const removing = useChange(removeReference)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const { journalAction, journal } = useJournal<Reference>('references', ({ name }) => name)

  const askRemove = async (reference: Reference) => {
    const isSure = await confirm({
      title: `Supprimer «\u00a0${reference.name}\u00a0»\u202f?`,
      message: goesWith(reference),
      acts: 'destroys',
    })
    if (!isSure) return
    await removing.mutateAsync({ params: { id: reference.id } })
    say('Référence supprimée.', 'good', { about: reference.name })
    onDeleted?.()
  }
  const own = useMemo(
    () =>
      (
        [
          {
            key: 'view',
            label: 'Voir',
            Icon: IconEye,
            right: 'LIST_REFERENCES',
            run: ({ id }) => openDetail(addressOfReference(id)),
          },
          {
            key: 'addCopy',
            label: 'Ajouter un exemplaire',
            Icon: IconBarcode,
            right: 'COPY_CREATECOPY',
            run: (reference) => setOpen({ verb: 'addCopy', reference }),
          },
          {
            key: 'edit',
            label: 'Modifier',
            Icon: IconPencil,
            right: 'REFERENCE_EDIT',
            run: ({ id }) => openForm(`/references/edit/${id}`, addressOfReference(id)),
          },
          {
            key: 'copies',
            label: 'Exemplaires',
            Icon: IconListDetails,
            right: 'LIST_REFERENCES',
            may: ({ copies_count }) => copies_count > 0,
            run: (reference) => setOpen({ verb: 'copies', reference }),
          },
          {
            key: 'history',
            label: 'Historique des prêts',
            Icon: IconHistory,
            right: 'LIST_LOANINGS',
            run: ({ name }) => navigate(addressOfHistory(name)),
          },
          {
            key: 'reserve',
            label: 'Réserver',
            Icon: IconBookmarkPlus,
            right: 'RESERVATION_EDIT',
            run: ({ id }) => reserve({ reference: id }),
          },
          {
            key: 'reservations',
            label: 'Réservations',
            Icon: IconBookmark,
            right: 'LIST_RESERVATIONS',
            run: ({ id }) => navigate(addressOfQueue(id)),
          },
          {
            key: 'remove',
            label: 'Supprimer',
            Icon: IconTrash,
            right: 'REFERENCE_DELETE',
            tone: 'bad',
            run: askRemove,
          },
        ] satisfies (RowAction<Reference> & { right: Right })[]
      ).filter(({ right }) => rights.includes(right)),
    // oxlint-disable-next-line react/exhaustive-deps -- verbs do the same from one render to the next
    [rights],
  )
  const actions = useMemo(() => [...own, ...journalAction], [own, journalAction])
  return {
    actions,
    dialog:
      open === null ? (
        journal
      ) : (
        <Suspense fallback={null}>
          {open.verb === 'addCopy' ? (
            <AddCopyDialog reference={open.reference} onClose={close} />
          ) : (
            <CopiesDialog reference={open.reference} onClose={close} />
          )}
        </Suspense>
      ),
  }
}

const goesWith = ({ copies_count }: Reference): string =>
  copies_count === 0
    ? `Elle quitte le catalogue. ${whoWaits}`
    : `${counted(copies_count, 'exemplaire quitte', 'exemplaires quittent')} le fonds avec elle. ${whoWaits} Les prêts passés restent.`

const whoWaits =
  'Les réservations qui l’attendent sont annulées, et un courriel le dit à chaque lecteur qui a une adresse.'
