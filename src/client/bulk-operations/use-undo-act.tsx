import { useCallbackRef } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMemo } from 'react'

import { type Act, undoAct } from '../../contract/acts.ts'
import { useChange } from '../api/queries.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { counted } from '../ui/words.ts'

/** Takes an act back, once the person has read what that means. */
export function useUndoAct(): readonly RowAction<Act>[] {
  const confirm = useConfirm()
  const undoing = useChange(undoAct)
  const ask = useCallbackRef(async ({ id, name, touched, undone }: Act) => {
    const count = touched - undone
    const isSure = await confirm({
      title: 'Annuler l’acte\u202f?',
      message: `${name}\u202f: ${counted(count, 'élément retrouvera', 'éléments retrouveront')} l’état d’avant. Ce qui a été modifié, prêté ou réservé depuis reste comme il est, et sera nommé.`,
      acts: 'destroys',
    })
    // Its state and its progress tell the rest: a sentence of its own would outlast a short one.
    if (isSure) await undoing.mutateAsync({ params: { id } })
  })
  return useMemo(
    () => [
      {
        key: 'undo',
        label: 'Annuler l’acte',
        Icon: IconArrowBackUp,
        may: ({ fixed }) => fixed === null,
        run: ask,
      },
    ],
    [ask],
  )
}
