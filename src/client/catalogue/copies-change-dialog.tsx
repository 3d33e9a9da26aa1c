import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Copy } from '../../contract/catalogue.ts'
import type { changeCopy } from '../../contract/copies.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { copyStates } from '../../domain/loan-rules.ts'
import { inWords } from '../page/house-words.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { asChoice, choicesOf } from '../ui/forms/as-choice.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import { locationChoicesQuery } from './reference-data.ts'

type CopiesChangeProps = {
  what: 'state' | 'location'
  copies: readonly Copy[]
  onConfirm: (body: BodyOf<typeof changeCopy>) => Promise<unknown>
  onClose: () => void
}

/** What is chosen to take copies off their place. */
const nowhere = 'none'

/** One state or place for several copies. */
export default function CopiesChangeDialog({ what, copies, onConfirm, onClose }: CopiesChangeProps) {
  const { data: places = [] } = useQuery(locationChoicesQuery)
  const confirm = useConfirm()
  const isState = what === 'state'
  const form = useLocalForm({
    about: `${what} of copies ${copies.map(({ id }) => id).join()}`,
    initial: { chosen: '' },
    check: ({ chosen }) =>
      chosen === '' ? { chosen: isState ? 'Choisissez un état.' : 'Choisissez un emplacement.' } : {},
    act: async ({ chosen }) => {
      if (isState && chosen === 'UNUSABLE' && !(await confirm(unusableQuestion(copies.length)))) return false
      await onConfirm(
        isState
          ? { state: chosen as keyof typeof copyStates }
          : { location: chosen === nowhere ? null : Number(chosen) },
      )
      return true
    },
    onDone: (isDone) => {
      if (isDone) onClose()
    },
  })
  const field = form.choice('chosen', isState ? 'État' : 'Emplacement')
  return (
    <FormDialog
      title={`${isState ? 'Changer l’état' : 'Changer l’emplacement'} de ${counted(copies.length, 'exemplaire', 'exemplaires')}`}
      form={form}
      onClose={onClose}
    >
      {isState ? (
        <Select {...field} required allowDeselect={false} data={choicesOf(copyStates)} />
      ) : (
        <Select
          {...field}
          required
          allowDeselect={false}
          searchable
          nothingFoundMessage={inWords('Aucun emplacement de ce nom')}
          data={[{ value: nowhere, label: 'Aucun emplacement' }, ...places.map(asChoice)]}
        />
      )}
    </FormDialog>
  )
}

const unusableQuestion = (count: number) => ({
  title: `Mettre ${counted(count, 'exemplaire', 'exemplaires')} à «\u00a0Inutilisable\u00a0»\u202f?`,
  message:
    'Leur disponibilité ne change pas maintenant\u202f: ceux qui sont en prêt seront «\u00a0Non Disponible\u00a0» à leur retour.',
  acts: 'destroys' as const,
})
