import { Select } from '@mantine/core'

import { removeImageSources, setImageSources } from '../../contract/image-sources.ts'
import type { MediumSettings } from '../../contract/media.ts'
import { type OutsideSource, outsideOf } from '../../domain/image-sources.ts'
import { useChange } from '../api/queries.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useLocalForm } from '../ui/use-local-form.ts'
import { ruleInWords } from './image-source-words.ts'
import { inWords } from '../page/house-words.ts'

const orders: readonly OutsideSource[][] = [
  [],
  ['bnf'],
  ['openlibrary'],
  ['bnf', 'openlibrary'],
  ['openlibrary', 'bnf'],
]

/** A choice that is empty would show as none. */
const codeOf = (order: readonly OutsideSource[]): string => order.join() || 'none'

type ImageSourceDialogProps = { medium: MediumSettings; onSaved: () => void; onClose: () => void }

/** The rule of one medium: where an image is sought for those of its references that have none. */
export function ImageSourceDialog({ medium, onSaved, onClose }: ImageSourceDialogProps) {
  const set = useChange(setImageSources)
  const remove = useChange(removeImageSources)
  const params = { id: medium.id }
  const form = useLocalForm({
    about: `image sources of ${medium.id}`,
    initial: { sources: codeOf(outsideOf(medium.images_sources)) },
    act: async ({ sources }) => {
      const order = orders.find((one) => codeOf(one) === sources) ?? []
      if (order.length === 0) return void (await remove.mutateAsync({ params }))
      await set.mutateAsync({ params, body: { images_sources: ['own', ...order, 'none'] } })
    },
    onDone: onSaved,
  })
  return (
    <FormDialog title={`Sources d’images\u202f: ${medium.name}`} isNamed form={form} onClose={onClose}>
      <Select
        {...form.choice('sources', 'Sans image, chercher à')}
        description={inWords(
          'Le premier catalogue qui en a une la donne. Les références qui ont leur propre image la gardent.',
        )}
        allowDeselect={false}
        data={orders.map((order) => ({ value: codeOf(order), label: ruleInWords(order) }))}
      />
    </FormDialog>
  )
}
