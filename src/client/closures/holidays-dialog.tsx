import { Checkbox, Select } from '@mantine/core'

import { close } from '../../contract/closings.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Openings } from '../../domain/open-days.ts'
import { isClosedAtAll, publicHolidays } from '../../domain/public-holidays.ts'
import { namedDay } from '../../domain/typed-day.ts'
import { useChange } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { counted } from '../ui/words.ts'
import type { AskedClosing } from './closing-data.ts'
import { ClosingPreview } from './closing-preview.tsx'
import { siteOf, useClosableSites } from './site-choice.ts'

type HolidaysProps = {
  /** Those of it are offered first, and those of the years beside it on demand. */
  year: number
  today: CalendarDay
  openings: Openings
  onClose: () => void
}

type Fields = { site: string; year: string; left: string[] }

/** The public holidays of a year, all of which close unless they are unticked. */
export default function HolidaysDialog({ year, today, openings, onClose }: HolidaysProps) {
  const sites = useClosableSites()
  const closing = useChange(close)
  const initial: Fields = { site: sites[0]?.value ?? '', year: String(year), left: [] }
  const first = Number(today.slice(0, 4))
  const years = [first, first + 1].map(String)
  const offeredOf = ({ site, year: of }: Fields) => {
    const one = siteOf(site)
    const weeks = openings.weeks.filter((week) => one === null || week.site === one)
    return publicHolidays(Number(of)).filter(
      ({ day }) => day >= today && !isClosedAtAll({ ...openings, weeks }, day),
    )
  }
  const askedOf = (values: Fields): AskedClosing => ({
    site: siteOf(values.site),
    closures: offeredOf(values)
      .filter(({ day }) => !values.left.includes(day))
      .map(({ day, label }) => ({ first_day: day, last_day: day, label })),
  })
  const form = useLocalForm<Fields>({
    about: 'holidays',
    initial,
    check: (values) =>
      askedOf(values).closures.length > 0 ? {} : { left: 'Cochez au moins un jour à fermer.' },
    act: (values) => closing.mutateAsync({ body: askedOf(values) }),
    onDone: () => {
      say('Jours fériés enregistrés.', 'good')
      onClose()
    },
  })
  const values: Fields = { ...initial, ...form.changed }
  const offered = offeredOf(values)
  const asked = askedOf(values)
  const left = form.several('left', 'Jours fériés')
  return (
    <FormDialog
      title={`Jours fériés ${values.year}`}
      form={form}
      onClose={onClose}
      submitLabel={`Fermer ${counted(asked.closures.length, 'jour', 'jours', 'aucun jour')}`}
    >
      <Select allowDeselect={false} data={years} {...form.choice('year', 'Année')} />
      {sites.length > 1 ? (
        <Select allowDeselect={false} data={sites} {...form.choice('site', 'Site')} />
      ) : null}
      <Checkbox.Group
        label={left.label}
        error={left.error}
        description={offered.length === 0 ? 'Tous ceux à venir sont déjà fermés.' : undefined}
        value={offered.flatMap(({ day }) => (left.value.includes(day) ? [] : [day]))}
        onChange={(ticked) =>
          left.onChange(offered.flatMap(({ day }) => (ticked.includes(day) ? [] : [day])))
        }
      >
        {offered.map(({ day, label }) => (
          <Checkbox key={day} mt="xs" value={day} label={`${label}, ${namedDay(day)}`} />
        ))}
      </Checkbox.Group>
      <ClosingPreview asked={asked.closures.length > 0 ? asked : null} />
    </FormDialog>
  )
}
