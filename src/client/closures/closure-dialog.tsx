import { Select, SimpleGrid, TextInput } from '@mantine/core'

import { type Closure, closures } from '../../contract/closures.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { siteOf, useClosableSites } from './site-choice.ts'
import { inWords } from '../page/house-words.ts'

type Fields = { site: string; first_day: string; last_day: string; label: string }

/** Changes a closure: what is lent from now on goes by it, and what is due already stays. */
export function ClosureDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const sites = useClosableSites()
  const change = useChange(closures.change)
  const { id, first_day, last_day, label, site } = closure
  const form = useLocalForm<Fields>({
    about: `closure ${id}`,
    initial: { site: String(site ?? 0), first_day, last_day, label },
    act: (values) => change.mutateAsync({ params: { id }, body: { ...values, site: siteOf(values.site) } }),
    onDone: () => {
      say(changesSaved, 'good', { about: label })
      onClose()
    },
  })
  return (
    <FormDialog title="Modifier la fermeture" form={form} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField required {...form.day('first_day', 'Premier jour')} />
        <DateField required {...form.day('last_day', 'Dernier jour')} />
      </SimpleGrid>
      <TextInput
        required
        maxLength={100}
        description={inWords('Les retours déjà prévus gardent leur jour.')}
        {...form.text('label', 'Motif')}
      />
      {sites.length > 1 ? (
        <Select allowDeselect={false} data={sites} {...form.choice('site', 'Site')} />
      ) : null}
    </FormDialog>
  )
}
