import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconAdjustments, IconColumns3, IconRefresh } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'

import styles from './filter-bar.module.css'
import { inWords } from '../../page/house-words.ts'
import { setPreference, usePreferences } from '../../page/preferences.ts'
import { useIsDesktop } from '../screen-width.ts'

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

/** Which columns are shown, and how high rows are on this device. */
export function ColumnsMenu({ columns, hidden, onChange }: ColumnsMenuProps) {
  const { is_dense } = usePreferences()
  const isDesktop = useIsDesktop()
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
        {isDesktop ? (
          <>
            <Menu.Divider />
            <Menu.CheckboxItem
              mih="2.75rem"
              checked={is_dense}
              onChange={(isDense) => setPreference('is_dense', isDense)}
            >
              Lignes serrées
            </Menu.CheckboxItem>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

const ChooseFilters = lazy(() => import('./choose-filters.tsx'))

type ChoosingProps = ComponentProps<typeof ChooseFilters>

/** Which filters stand over a list: what opens it, as an action, and its dialog. */
export function useChooseFilters(of: Omit<ChoosingProps, 'onClose'> | null) {
  const [isOpen, setOpen] = useState(false)
  const action = { label: 'Choisir les filtres affichés', Icon: IconAdjustments, onRun: () => setOpen(true) }
  const dialog =
    of && isOpen ? (
      <Suspense fallback={null}>
        <ChooseFilters {...of} onClose={() => setOpen(false)} />
      </Suspense>
    ) : null
  return { action: of && action, dialog }
}

/** One of the tools beside a list's filters. */
export const ToolButton = ({
  label,
  Icon,
  onRun,
}: {
  label: string
  Icon: typeof IconAdjustments
  onRun: () => void
}) => (
  <ActionIcon variant="subtle" aria-label={label} title={label} onClick={onRun}>
    <Icon size="1.3rem" stroke={1.75} aria-hidden />
  </ActionIcon>
)
