import { IconCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

import type { StartState } from '../../contract/start.ts'
import { Page } from '../ui/page.tsx'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { Doors } from './doors.tsx'
import { NumberingStep } from './numbering-step.tsx'
import { OrganisationStep } from './organisation-step.tsx'
import { PresetStep } from './preset-step.tsx'
import { startQuery, stepIsOver, stepOf } from './start-data.ts'
import { type StartPlace, places } from './start-words.ts'
import styles from './start.module.css'
import { UsersStep } from './users-step.tsx'
import { inWords } from '../page/house-words.ts'

const title = 'Premiers pas'

const steps = {
  organisation: OrganisationStep,
  preset: PresetStep,
  numbering: NumberingStep,
  users: UsersStep,
} as const

/** From an empty environment to the first loan, in steps that may be left and taken up again. */
export default function StartScreen() {
  const { data, error, refetch } = useQuery(startQuery)
  const [search, setSearch] = useSearchParams()
  const asked = places.find(({ place }) => place === search.get('step'))?.place
  const go = useCallback((place: StartPlace) => setSearch({ step: place }), [setSearch])
  const goOn = useCallback(() => setSearch({}, { state: stepIsOver }), [setSearch])
  const next = data && stepOf(data)
  useEffect(() => {
    // « Back » goes from step to step, so each has its own address.
    if (asked === undefined && next) setSearch({ step: next }, { replace: true, state: stepIsOver })
  }, [asked, next, setSearch])
  if (!data) return <UnreadScreen title={title} error={error} onRetry={refetch} />
  const place = asked ?? stepOf(data)
  const Step = place === 'doors' ? null : steps[place]
  return (
    <Page title={title}>
      <div className={styles['start']}>
        <StartPlaces state={data} place={place} onGo={go} />
        {Step ? <Step key={place} onDone={goOn} /> : <Doors state={data} />}
      </div>
    </Page>
  )
}

type StartPlacesProps = { state: StartState; place: StartPlace; onGo: (place: StartPlace) => void }

/** Where one is, and what was done or put off; each may be opened again. */
function StartPlaces({ state, place, onGo }: StartPlacesProps) {
  const current = useRef<HTMLButtonElement>(null)
  // On a phone the way is wider than the screen.
  useEffect(() => {
    // Not returned: newer browsers answer a promise, which would be taken for what cleans up.
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [place])
  return (
    <nav aria-label="Étapes">
      <ol className={styles['way']}>
        {places.map(({ place: one, label: written }, at) => {
          const label = inWords(written)
          const said = one === 'doors' ? (state.tasks.loan ? 'done' : 'left') : state.steps[one]
          const Icon = said === 'done' ? IconCheck : said === 'later' ? IconClock : null
          const isHere = one === place
          return (
            <li key={one}>
              <button
                type="button"
                ref={isHere ? current : null}
                className={styles['stage']}
                data-said={said}
                aria-current={isHere ? 'step' : undefined}
                aria-label={`${label}${suffix[said]}`}
                onClick={() => onGo(one)}
              >
                <span className={styles['mark']} data-rank={Icon ? undefined : at + 1} aria-hidden>
                  {Icon ? <Icon size="1rem" stroke={2.5} /> : null}
                </span>
                {label}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const suffix = { done: ', fait', later: ', remis à plus tard', left: '' } as const
