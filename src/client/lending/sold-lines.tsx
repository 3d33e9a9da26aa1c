import { ActionIcon, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

import { frenchMoney } from '../../domain/money.ts'
import { useRight } from '../api/session.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './counter.module.css'
import type { SoldLine } from './save-sales.ts'
import { inWords } from '../page/house-words.ts'

type SoldLinesProps = { lines: readonly SoldLine[]; onDismiss: (id: number) => void }

/** What was just sold here; whoever sees sales may open one, to take it back the same day. */
export default function SoldLines({ lines, onDismiss }: SoldLinesProps) {
  const mayOpen = useRight('LIST_SELL')
  return (
    <section className="panel" aria-label={inWords('Ventes enregistrées')}>
      <Title order={2} size="h4" mb="sm">
        {inWords('Ventes enregistrées')}
      </Title>
      <ul className={styles['rows']}>
        {lines.map(({ id, title, price, beneficiary_name }) => (
          <li key={id} className={styles['row']}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Stack gap={4}>
                <Text fw={600}>{title}</Text>
                <Group gap="xs">
                  <StatusTag tone="good">Vendu</StatusTag>
                  <Text size="sm" c="dimmed">
                    <ReaderName name={beneficiary_name} /> · {frenchMoney(price)}
                  </Text>
                  {mayOpen ? (
                    <Anchor component={Link} size="sm" underline="always" to={`/sales/view/${id}`}>
                      {inWords('Voir la vente')}
                    </Anchor>
                  ) : null}
                </Group>
              </Stack>
              <ActionIcon aria-label={`Masquer\u202f: ${title}`} onClick={() => onDismiss(id)} c="dimmed">
                <IconX size="1.2rem" aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
