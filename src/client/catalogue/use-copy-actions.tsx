import {
  IconBookmarkPlus,
  IconBooks,
  IconCircleCheck,
  IconCircleOff,
  IconMapPin,
  IconPencil,
  IconTool,
  IconTrash,
  IconTruck,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'

import type { Copy } from '../../contract/catalogue.ts'
import { isOut } from '../../domain/copies-out.ts'
import type { Right } from '../../domain/rights.ts'
import { useRights } from '../api/session.ts'
import { useReservationForms } from '../queue/reservation-addresses.ts'
import type { UnderWay } from '../ui/lists/bulk-bar.tsx'
import { sayIgnored } from '../scanner/ignored-scan.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { useCopiesAtOnce } from './use-copies-at-once.ts'

const ChangeCopyDialog = lazy(async () => ({ default: (await import('./copy-dialog.tsx')).ChangeCopyDialog }))
const CopiesChangeDialog = lazy(() => import('./copies-change-dialog.tsx'))
const SeekInPicture = lazy(() => import('../shelf/seek-in-picture.tsx'))
const TransferDialog = lazy(() => import('./transfer-dialog.tsx'))
const WithdrawDialog = lazy(() => import('./withdraw-dialog.tsx'))

const isHere = ({ status_name }: Pick<Copy, 'status_name'>) => !isOut(status_name)
const isInStock = (copy: Pick<Copy, 'status_name' | 'sold_on'>) => isHere(copy) && copy.sold_on === null

type Verb = 'edit' | 'seek' | 'state' | 'location' | 'transfer' | 'withdraw'

type CopyActions = { actions: readonly RowAction<Copy>[]; underWay: UnderWay | null; dialog: ReactNode }

/** The person's actions on copies, with one set of dialogs for any number. Render `dialog` once. */
export function useCopyActions({ isForMany = false } = {}): CopyActions {
  const rights = useRights()
  const isMultisite = useIsMultisite()
  const { change, withdraw, send, underWay } = useCopiesAtOnce()
  const [open, setOpen] = useState<{ verb: Verb; copies: readonly Copy[] } | null>(null)
  const close = () => setOpen(null)
  const { reserve } = useReservationForms()
  const actions = useMemo(() => {
    const opens = (verb: Verb) => ({
      run: (copy: Copy) => setOpen({ verb, copies: [copy] }),
      runAll: (copies: readonly Copy[]) => setOpen({ verb, copies }),
    })
    const sets = (status: 'Disponible' | 'Non Disponible') => ({
      may: (copy: Copy) => isInStock(copy) && copy.status_name !== status,
      run: (copy: Copy) => change([copy], { status }),
      runAll: (copies: readonly Copy[]) => change(copies, { status }),
    })
    const { run: edit } = opens('edit')
    const { run: seek } = opens('seek')
    return (
      [
        { key: 'edit', label: 'Modifier', Icon: IconPencil, right: 'COPY_MODIFY', run: edit },
        {
          key: 'reserve',
          label: 'Réserver',
          Icon: IconBookmarkPlus,
          right: 'RESERVATION_EDIT',
          may: ({ type, sold_on }) => type === 'Location' && sold_on === null,
          run: ({ id, reference }) => reserve({ reference, copy: id }),
        },
        {
          key: 'seek',
          label: 'Retrouver en rayon',
          Icon: IconBooks,
          right: 'INVENTORY',
          may: isInStock,
          run: seek,
        },
        {
          key: 'off',
          label: 'Rendre indisponible',
          Icon: IconCircleOff,
          right: 'COPY_MODIFY',
          ...sets('Non Disponible'),
        },
        {
          key: 'on',
          label: 'Rendre disponible',
          Icon: IconCircleCheck,
          right: 'COPY_MODIFY',
          ...sets('Disponible'),
        },
        ...(isForMany
          ? ([
              {
                key: 'state',
                label: 'Changer l’état',
                Icon: IconTool,
                right: 'COPY_MODIFY',
                ...opens('state'),
              },
              {
                key: 'location',
                label: 'Changer l’emplacement',
                Icon: IconMapPin,
                right: 'COPY_MODIFY',
                ...opens('location'),
              },
            ] as const)
          : []),
        ...(isMultisite
          ? ([
              {
                key: 'transfer',
                label: 'Transférer…',
                Icon: IconTruck,
                right: 'COPY_TRANSFER',
                may: isInStock,
                ...opens('transfer'),
              },
            ] as const)
          : []),
        {
          key: 'withdraw',
          label: 'Retirer du fonds',
          Icon: IconTrash,
          right: 'COPY_DELETE',
          tone: 'bad',
          may: isHere,
          ...opens('withdraw'),
        },
      ] satisfies (RowAction<Copy> & { right: Right })[]
    ).filter(({ right }) => rights.includes(right))
    // oxlint-disable-next-line react/exhaustive-deps -- verbs do the same from one render to the next
  }, [rights, isForMany, isMultisite])
  return { actions, underWay, dialog: open && <Suspense fallback={null}>{dialogOf(open)}</Suspense> }

  /** The dialog goes first, because the way it takes and « Arrêter » stand under it. */
  function goOn(work: Promise<void>): Promise<void> {
    close()
    return work
  }

  function dialogOf({ verb, copies }: { verb: Verb; copies: readonly Copy[] }): ReactNode {
    const [first] = copies
    if (!first) return null
    if (verb === 'edit') return <ChangeCopyDialog copy={first} onClose={close} />
    if (verb === 'seek') {
      const { bar_code, name, location_label } = first
      return (
        <SeekInPicture
          title="Retrouver en rayon"
          sought={[{ bar_code, name, words: location_label ?? '' }]}
          onScan={(code, symbology) => sayIgnored(code, { symbology })}
          onClose={close}
        />
      )
    }
    if (verb === 'transfer') {
      return <TransferDialog copies={copies} onClose={close} onConfirm={(site) => goOn(send(copies, site))} />
    }
    if (verb === 'withdraw') {
      return (
        <WithdrawDialog
          copies={copies}
          onClose={close}
          onConfirm={(reason) => goOn(withdraw(copies, reason))}
        />
      )
    }
    return (
      <CopiesChangeDialog
        what={verb}
        copies={copies}
        onClose={close}
        onConfirm={(body) => goOn(change(copies, body))}
      />
    )
  }
}
