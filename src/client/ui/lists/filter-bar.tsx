import { ActionIcon, Button, Group, Popover, Stack } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconCalendar, IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { FilterChips, isSet } from './filter-chips.tsx'
import styles from './filter-bar.module.css'
import { FilterField, type ListFilter } from './filters.tsx'
import { useIsDesktop, useIsPhone } from '../screen-width.ts'
import { Sheet } from '../dialogs/sheet.tsx'
import type { ListAddress } from './use-list-address.ts'

type FiltersProps = {
  filters: readonly ListFilter[]
  address: Pick<ListAddress, 'values' | 'setFilters' | 'clearFilters'>
  /** For a list that shares its page: no filter stands in line. */
  isFolded?: boolean
  /** For a list beside a detail: one filter stands in line. */
  isNarrow?: boolean
  tools?: ReactNode
  /** Replaces the line for a while, without moving what is under it. */
  instead?: ReactNode
}

const inLineOf = { folded: 0, phone: 1, narrow: 1, tablet: 2, desktop: 3 }

/** The first filters in line, days behind a button, others in a drawer, chips for those out of sight. */
export function Filters({ filters, address, isFolded, isNarrow, tools, instead }: FiltersProps) {
  const isPhone = useIsPhone()
  const isDesktop = useIsDesktop()
  const room = isFolded
    ? 'folded'
    : isPhone
      ? 'phone'
      : isNarrow
        ? 'narrow'
        : isDesktop
          ? 'desktop'
          : 'tablet'
  const inLine = filters.filter(({ kind }) => kind !== 'days').slice(0, inLineOf[room])
  const days = room === 'desktop' ? filters.filter(({ kind }) => kind === 'days') : []
  const inDrawer = filters.filter((filter) => !inLine.includes(filter) && !days.includes(filter))
  return (
    <div className={styles['filters']}>
      {instead ?? (
        <search className={styles['line']}>
          {inLine.map((filter) => (
            <div key={filter.code} className={styles['field']} data-kind={filter.kind}>
              <FilterField filter={filter} address={address} isInLine />
            </div>
          ))}
          {days.length > 0 ? <Days filters={days} address={address} /> : null}
          {inDrawer.length > 0 ? <FilterDrawer filters={inDrawer} address={address} /> : null}
          {tools ? <div className={styles['tools']}>{tools}</div> : null}
        </search>
      )}
      {/* A phone has no line for them: its button says how many there are. */}
      {room === 'phone' ? null : <FilterChips filters={[...days, ...inDrawer]} address={address} />}
    </div>
  )
}

type SomeFiltersProps = Pick<FiltersProps, 'filters' | 'address'>

const countSet = ({ filters, address }: SomeFiltersProps): number =>
  filters.filter((filter) => isSet(filter, address.values)).length

function FilterDrawer({ filters, address }: SomeFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const isPhone = useIsPhone()
  const count = countSet({ filters, address })
  const label = count === 0 ? 'Filtres' : `Filtres (${count})`
  return (
    <>
      {isPhone ? (
        <span className={styles['open']}>
          <ActionIcon variant="default" aria-label={label} onClick={() => setOpen(true)}>
            <IconFilter size="1.3rem" stroke={1.75} aria-hidden />
          </ActionIcon>
          {count > 0 ? (
            <span className={styles['set']} aria-hidden>
              {count}
            </span>
          ) : null}
        </span>
      ) : (
        <Button
          variant="default"
          className={styles['open'] ?? ''}
          leftSection={<IconFilter size="1.2em" aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {label}
        </Button>
      )}
      <Sheet
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        position={isPhone ? 'bottom' : 'right'}
        size={isPhone ? 'auto' : 'md'}
        title="Filtres"
      >
        <Stack component="search">
          {filters.map((filter) => (
            <FilterField key={filter.code} filter={filter} address={address} />
          ))}
          <Group grow preventGrowOverflow={false} wrap="nowrap" gap="xs" className={styles['foot'] ?? ''}>
            <Button
              variant="subtle"
              px="xs"
              disabled={Object.keys(address.values).length === 0}
              onClick={address.clearFilters}
            >
              Effacer les filtres
            </Button>
            <Button px="xs" onClick={() => setOpen(false)}>
              Voir les résultats
            </Button>
          </Group>
        </Stack>
      </Sheet>
    </>
  )
}

function Days({ filters, address }: SomeFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  // A field's calendar is drawn beside this one, so pressing it must not close this one.
  useWindowEvent('mousedown', ({ target }) => {
    if (target instanceof Element && !target.closest('.mantine-Popover-dropdown, [data-days]')) setOpen(false)
  })
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      closeOnClickOutside={false}
      position="bottom-start"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          className={styles['open'] ?? ''}
          data-days
          leftSection={<IconCalendar size="1.2em" aria-hidden />}
          onClick={() => setOpen((shown) => !shown)}
        >
          Dates
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles['days']}>
          {filters.map((filter) => (
            <FilterField key={filter.code} filter={filter} address={address} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
