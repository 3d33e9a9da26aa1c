import '@mantine/core/styles/Tabs.css'

import { Stack, Tabs } from '@mantine/core'
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

import { type Copy, listCopies } from '../../contract/catalogue.ts'
import { exportCopies } from '../../contract/catalogue-exports.ts'
import { totalOf, type Filter } from '../../contract/list.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { listQuery } from '../api/queries.ts'
import { useRight, useSession } from '../api/session.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { useCopiesAtOnce } from '../catalogue/use-copies-at-once.ts'
import { coverOf } from '../catalogue/work-columns.tsx'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { search } from '../ui/lists/filters.tsx'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { ArrivalScans } from './arrival-scans.tsx'

type Which = 'arrivals' | 'departures'

/** Copies on their way to this site, to be received one by one or by scanning; and those that left it. */
export default function TransferListScreen() {
  const site = useSession()?.site?.id ?? 0
  const [address, setAddress] = useSearchParams()
  const { isOpen } = useCameraAddress()
  // Of all sites at once, what leaves one arrives at another: they are one list.
  const which: Which | 'all' =
    site === 0 ? 'all' : address.get('tab') === 'departures' ? 'departures' : 'arrivals'
  const { receive, takeBack, underWay } = useCopiesAtOnce()
  const mayTransfer = useRight('COPY_TRANSFER')
  const only = useMemo(() => onlyOf(which, site), [which, site])
  const actions = useMemo(
    () => [
      ...(which === 'departures'
        ? []
        : [
            {
              key: 'receive',
              label: 'Confirmer la réception',
              Icon: IconCircleCheck,
              isMain: true,
              run: (copy: Copy) => receive([copy]),
              runAll: receive,
            } satisfies RowAction<Copy>,
          ]),
      ...(which === 'arrivals' || !mayTransfer
        ? []
        : [
            {
              key: 'take-back',
              label: 'Reprendre',
              Icon: IconArrowBackUp,
              ...(which === 'departures' ? { isMain: true as const } : {}),
              may: ({ sent_from }: Copy) => sent_from !== null,
              run: (copy: Copy) => takeBack([copy]),
              runAll: takeBack,
            } satisfies RowAction<Copy>,
          ]),
    ],
    [which, mayTransfer, receive, takeBack],
  )
  return (
    <ListScreen
      key={which}
      endpoint={listCopies}
      title="Transferts"
      noun={nounOf('exemplaire', 'm')}
      about={
        <Stack gap="md">
          {which === 'departures' && !isOpen ? null : <ArrivalScans />}
          {which === 'all' ? null : (
            <Tabs
              value={which}
              onChange={(next) =>
                setAddress(next === 'departures' ? { tab: 'departures' } : {}, { replace: true })
              }
            >
              <Tabs.List>
                <Tabs.Tab value="arrivals" mih="2.75rem">
                  À recevoir
                  <HowMany which="arrivals" site={site} />
                </Tabs.Tab>
                <Tabs.Tab value="departures" mih="2.75rem">
                  Partis d’ici
                  <HowMany which="departures" site={site} />
                </Tabs.Tab>
              </Tabs.List>
            </Tabs>
          )}
        </Stack>
      }
      exported={exportCopies}
      only={only}
      filters={filters}
      columns={columnsOf[which]}
      rowKey={({ id }) => id}
      rowName={({ name, bar_code }) => `${name} (${bar_code})`}
      rowActions={actions}
      underWay={underWay}
    />
  )
}

/** The chosen site limits the arrivals by itself; what left it is of other sites now. */
const onlyOf = (which: Which | 'all', site: number): Record<string, string> => ({
  'status.name|eq': 'En transfert',
  ...(which === 'arrivals' ? { 'site|eq': String(site) } : {}),
  ...(which === 'departures' ? { 'sent_from|eq': String(site) } : {}),
})

function HowMany({ which, site }: { which: Which; site: number }) {
  const asked = Object.entries(onlyOf(which, site)).map(([name, value]): Filter => ({
    field: name.split('|')[0] ?? '',
    operator: 'eq',
    value,
  }))
  const { data } = useQuery(listQuery(listCopies, { limit: 1, filters: asked }))
  const count = totalOf(data) ?? 0
  return count === 0 ? null : <>{` ${frenchNumber(count)}`}</>
}

const filters = [search('searchname|like', 'Article ou code-barres')]

const article: Column<Copy> = {
  key: 'name',
  title: 'Article',
  order: 'name',
  role: 'main',
  face: coverOf,
  cell: ({ reference, name }) => <DetailLink to={addressOfReference(reference)}>{name}</DetailLink>,
}
const barCode: Column<Copy> = {
  key: 'bar_code',
  title: 'Code-barres',
  order: 'bar_code',
  width: 10.5,
  cell: ({ bar_code }) => bar_code,
}
const sender: Column<Copy> = {
  key: 'sent_from',
  title: 'Site envoyeur',
  order: 'sent_from',
  role: 'lasting',
  width: 12,
  cell: ({ sent_from }) => sent_from?.name ?? '',
}
const destination: Column<Copy> = {
  key: 'site',
  title: 'Destination',
  order: 'site',
  role: 'lasting',
  width: 12,
  cell: ({ site_name }) => site_name,
}
const sentOn: Column<Copy> = {
  key: 'date',
  title: "Date d'envoi",
  order: 'date',
  width: 8.5,
  cell: ({ date }) => (date === null ? '' : frenchDay(date)),
}

const columnsOf: Record<Which | 'all', readonly Column<Copy>[]> = {
  arrivals: [article, barCode, sender, sentOn],
  departures: [article, barCode, destination, sentOn],
  all: [article, barCode, sender, destination, sentOn],
}
