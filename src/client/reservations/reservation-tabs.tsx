import '@mantine/core/styles/Tabs.css'

import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'

import { frenchNumber } from '../../domain/french-number.ts'
import { useRight } from '../api/session.ts'
import { pickingQuery, setAsideCountQuery } from './shelf-data.ts'

const addresses = {
  all: '/reservations',
  'set-aside': '/reservations/set_aside',
  picking: '/reservations/picking',
} as const

/** What is asked for, what waits to be fetched by its reader, and what is to be fetched from the shelves. */
export function ReservationTabs({ value }: { value: keyof typeof addresses }) {
  const navigate = useNavigate()
  const mayPick = useRight('RESERVATION_EDIT')
  const kept = useQuery(setAsideCountQuery).data?.['hydra:totalItems'] ?? 0
  const toPick = useQuery({ ...pickingQuery, enabled: mayPick }).data?.['hydra:totalItems'] ?? 0
  return (
    <Tabs
      value={value}
      onChange={(next) => void navigate(addresses[(next ?? 'all') as keyof typeof addresses])}
    >
      <Tabs.List>
        <Tabs.Tab value="all" mih="2.75rem">
          Demandes
        </Tabs.Tab>
        <Tabs.Tab value="set-aside" mih="2.75rem">
          À retirer{countOf(kept)}
        </Tabs.Tab>
        {mayPick ? (
          <Tabs.Tab value="picking" mih="2.75rem">
            À chercher en rayon{countOf(toPick)}
          </Tabs.Tab>
        ) : null}
      </Tabs.List>
    </Tabs>
  )
}

const countOf = (count: number) => (count === 0 ? '' : ` ${frenchNumber(count)}`)
