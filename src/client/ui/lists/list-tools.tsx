import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconAdjustments, IconColumns3, IconRefresh } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'

import styles from './filter-bar.module.css'
import { inWords } from '../../page/house-words.ts'

type RefreshProps = { hasChanged: boolean; onRefresh: () => void }

export function RefreshButton({ hasChanged, onRefresh }: RefreshProps) {
  return (
    <>
      <span role="status" className={styles['changed']}>
        {hasChanged ? 'La liste a changé' : ''}
      </span>
      <ActionIcon
        variant={hasChanged ? 'light' : 'subtle'}
        aria-label="Actualiser"
        title="Actualiser"
        onClick={onRefresh}
      >
        <IconRefresh size="1.3rem" stroke={1.75} aria-hidden />
      </ActionIcon>
    </>
  )
}

type ColumnsMenuProps = {
  columns: readonly { key: string; title: string }[]
  hidden: readonly string[]
  onChange: (hidden: readonly string[]) => void
}

export function ColumnsMenu({ columns, hidden, onChange }: ColumnsMenuProps) {
  return (
    <Menu position="bottom-end" width="16rem" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          px="sm"
          aria-label="Colonnes"
          leftSection={<IconColumns3 size="1.3rem" stroke={1.75} aria-hidden />}
          className={styles['columns'] ?? ''}
        >
          Colonnes
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            mih="2.75rem"
            checked={!hidden.includes(key)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((one) => one !== key) : [...hidden, key])}
          >
            {inWords(title)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const ChooseFilters = lazy(() => import('./choose-filters.tsx'))

type ChooseFiltersButtonProps = Omit<ComponentProps<typeof ChooseFilters>, 'onClose'>

export function ChooseFiltersButton(props: ChooseFiltersButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        aria-label="Choisir les filtres affichés"
        title="Choisir les filtres affichés"
        onClick={() => setOpen(true)}
      >
        <IconAdjustments size="1.3rem" stroke={1.75} aria-hidden />
      </ActionIcon>
      {isOpen ? (
        <Suspense fallback={null}>
          <ChooseFilters {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
