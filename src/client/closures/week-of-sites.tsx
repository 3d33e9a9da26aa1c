import { Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { close } from '../../contract/closings.ts'
import { changeSite } from '../../contract/site-changes.ts'
import type { Site } from '../../contract/sites.ts'
import { weekdays } from '../../domain/calendar-day.ts'
import { changesSaved } from '../../domain/sentences/lists.ts'
import { useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useCurrentUser } from '../session/user-data.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { counted } from '../ui/words.ts'
import { askPreview } from './closing-data.ts'
import styles from './closures.module.css'

/** The week of each site, in which a tap opens or closes a day. */
export function WeekOfSites() {
  const { data: enabled } = useQuery(enabledSitesQuery)
  const user = useCurrentUser()
  if (!enabled || !user) return <LoadingText />
  const open = new Set(user.sites.map(({ id }) => id))
  const sites = enabled.filter(({ id }) => open.has(id))
  if (sites.length === 0) return null
  return (
    <section className={`panel ${styles['weeks']}`} aria-label="Jours ouverts de la semaine">
      {sites.map((site) => (
        <Week key={site.id} site={site} isNamed={enabled.length > 1} />
      ))}
      <Text size="sm" c="dimmed">
        Touchez un jour pour le fermer ou l’ouvrir&#8239;; barré, il est fermé chaque semaine.
      </Text>
    </section>
  )
}

function Week({ site, isNamed }: { site: Site; isNamed: boolean }) {
  const { id, name, open_weekdays } = site
  const confirm = useConfirm()
  const change = useChange(changeSite)
  const closing = useChange(close)
  const open = new Set(open_weekdays)

  /** What is due already does not move by itself, so it is asked about. */
  const offerToMove = async () => {
    const asked = { site: id, closures: [] }
    const { loans } = await askPreview(asked)
    if (loans === 0) return
    const isSure = await confirm({
      title: `Déplacer ${counted(loans, 'retour', 'retours')}\u202f?`,
      message: `${loans === 1 ? 'Un retour est prévu' : `${loans} retours sont prévus`} un jour où ${name} n’est plus ouvert. ${loans === 1 ? 'Il passera' : 'Ils passeront'} au jour ouvert suivant\u202f; cela s’annule depuis les actes.`,
    })
    if (isSure) await closing.mutateAsync({ body: asked })
  }
  const toggle = async (weekday: number) => {
    const isClosing = open.has(weekday)
    const next = isClosing
      ? open_weekdays.filter((one) => one !== weekday)
      : [...open_weekdays, weekday].toSorted((a, b) => a - b)
    try {
      await change.mutateAsync({ params: { id }, body: { open_weekdays: next } })
      say(changesSaved, 'good', { about: name })
      if (isClosing) await offerToMove()
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <div className={styles['week']} role="group" aria-label={`Jours ouverts\u202f: ${name}`}>
      {isNamed ? <span className={styles['site']}>{name}</span> : null}
      <span className={styles['weekdays']}>
        {weekdays.map((word, at) => {
          const weekday = at + 1
          const isLast = open.size === 1 && open.has(weekday)
          return (
            <UnstyledButton
              key={word}
              className={styles['weekday'] ?? ''}
              aria-pressed={open.has(weekday)}
              // A site is open on one day at least.
              disabled={isLast || change.isPending}
              onClick={() => void toggle(weekday)}
            >
              {word}
            </UnstyledButton>
          )
        })}
      </span>
    </div>
  )
}
