import { useCallbackRef } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'

import { deleteSale, type Sale } from '../../contract/sales.ts'
import { frenchMoney } from '../../domain/money.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { say } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'

/** What the person may do with sales: take one of today back. */
export function useSaleActions(onDeleted?: () => void): readonly RowAction<Sale>[] {
  const confirm = useConfirm()
  const today = useToday()
  const maySell = useRight('LOANING_SELL')
  const { mutateAsync } = useChange(deleteSale)
  const remove = useCallbackRef(async ({ id, reference_name, beneficiary_name, price }: Sale) => {
    const isSure = await confirm({
      title: 'Supprimer la vente',
      message: `«\u00a0${reference_name}\u00a0», vendu à ${beneficiary_name} pour ${frenchMoney(price)}\u202f: la vente quitte les listes et l’exemplaire redevient disponible.`,
      acts: 'destroys',
    })
    if (!isSure) return
    await mutateAsync({ params: { id } })
    say(requestTaken, 'good', { about: reference_name })
    onDeleted?.()
  })
  return useMemo(
    () =>
      maySell
        ? [
            {
              key: 'delete',
              label: 'Supprimer la vente',
              Icon: IconTrash,
              tone: 'bad',
              may: ({ date }) => date === today,
              run: remove,
            },
          ]
        : [],
    [maySell, today, remove],
  )
}
