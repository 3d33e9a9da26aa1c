import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'

import { close, longestSpread } from '../../contract/closings.ts'
import { type ClosedDays, whyNoClosure } from '../../domain/open-days.ts'
import type { Days } from '../../domain/typed-day.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import type { AskedClosing } from './closing-data.ts'
import { ClosingPreview } from './closing-preview.tsx'
import { siteOf, useClosableSites } from './site-choice.ts'
import { inWords } from '../page/house-words.ts'

type ClosingFields = {
  site: string
  first_day: string
  last_day: string
  label: string
  spread_days: number
  mail: boolean
}

/** One day is closed where no last one is written. */
const daysOf = ({ first_day, last_day }: ClosingFields): ClosedDays => ({
  first_day,
  last_day: last_day || first_day,
})

/** Said before it is sent, because no preview is shown of such days. */
const problemOf = (values: ClosingFields): string | undefined =>
  (values.first_day && whyNoClosure(daysOf(values))) || undefined

function askedOf(values: ClosingFields): AskedClosing | null {
  const { site, first_day, label, spread_days } = values
  if (!first_day || problemOf(values)) return null
  return {
    site: siteOf(site),
    closures: [{ ...daysOf(values), label: label.trim() || 'Fermeture' }],
    ...(spread_days > 1 ? { spread_days } : {}),
  }
}

type CloseDialogProps = {
  /** Those that were typed in the search. */
  days?: Days | undefined
  onClose: () => void
}

/** Closes for some days in one act: what falls due then is seen before, and moved. */
export function CloseDialog({ days, onClose }: CloseDialogProps) {
  const sites = useClosableSites()
  const closing = useChange(close)
  const initial: ClosingFields = {
    site: sites[0]?.value ?? '',
    first_day: days?.first ?? '',
    last_day: days && days.last !== days.first ? days.last : '',
    label: '',
    spread_days: 1,
    mail: false,
  }
  const form = useLocalForm<ClosingFields>({
    about: 'closing',
    initial,
    check: (values) => ({
      ...(values.first_day ? {} : { first_day: 'Écrivez le premier jour de fermeture.' }),
      last_day: problemOf(values),
      ...(values.label.trim() === '' ? { label: 'Écrivez pourquoi\u202f: les lecteurs le liront.' } : {}),
    }),
    act: (values) => closing.mutateAsync({ body: { ...askedOf(values)!, mail: values.mail } }),
    onDone: () => {
      say('Fermeture enregistrée\u202f: les retours se déplacent.', 'good')
      onClose()
    },
  })
  const values: ClosingFields = { ...initial, ...form.changed }
  const lastDay = form.day('last_day', 'Dernier jour, au besoin')
  return (
    <FormDialog title="Fermer" size="lg" form={form} onClose={onClose} submitLabel="Fermer ces jours">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField required {...form.day('first_day', 'Premier jour')} />
        <DateField {...lastDay} error={lastDay.error ?? problemOf(values)} />
      </SimpleGrid>
      <TextInput
        required
        maxLength={100}
        {...form.text('label', 'Motif')}
        placeholder="Congés de Noël"
        // All that is left to write.
        data-autofocus={days ? true : undefined}
      />
      {sites.length > 1 ? (
        <Select allowDeselect={false} data={sites} {...form.choice('site', 'Site')} />
      ) : null}
      <ClosingPreview asked={askedOf(values)} />
      <CountField
        from={1}
        to={longestSpread}
        description={inWords('Ce qu’a un même lecteur revient le même jour.')}
        {...form.number('spread_days', 'Répartir les retours sur (jours ouverts)')}
      />
      {useRight('SEND_MAIL') ? (
        <Checkbox {...form.flag('mail', 'Écrire une fois à chaque lecteur dont un retour se déplace')} />
      ) : null}
    </FormDialog>
  )
}
