import { Button, Group, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { areHolidaysLeft } from '../../domain/public-holidays.ts'
import { inWords } from '../page/house-words.ts'
import { setPreference, usePreferences } from '../page/preferences.ts'
import { useSiteOpenings } from './site-openings.ts'

export { siteOpeningsKnown } from './site-openings.ts'

const HolidaysDialog = lazy(() => import('./holidays-dialog.tsx'))

type HolidaysToComeProps = { year: number; today: CalendarDay }

/** Once a year, as long as most of its public holidays are open, and it was not put away on this device. */
export default function HolidaysToCome({ year, today }: HolidaysToComeProps) {
  const openings = useSiteOpenings()
  const { holidays_from } = usePreferences()
  const [isOpened, setOpened] = useState(false)
  if (!openings || today < holidays_from) return null
  if (!isOpened && !areHolidaysLeft(year, openings, today)) return null
  const title = `Jours fériés ${year}`
  return (
    <section className="panel" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Text>
        {inWords('Ils ne sont pas encore fermés\u202f: un retour peut être prévu l’un de ces jours.')}
      </Text>
      <Group gap="xs" mt="sm">
        <Button onClick={() => setOpened(true)}>Choisir ceux que l’on ferme</Button>
        <Button variant="subtle" onClick={() => setPreference('holidays_from', plusDays(today, 14))}>
          Plus tard
        </Button>
        {/* Until those of the year after. */}
        <Button variant="subtle" onClick={() => setPreference('holidays_from', `${year}-11-01`)}>
          Ne plus afficher
        </Button>
      </Group>
      {isOpened ? (
        <Suspense fallback={null}>
          <HolidaysDialog year={year} today={today} openings={openings} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </section>
  )
}
