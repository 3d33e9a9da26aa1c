import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router-dom'

import { frenchMoney } from '../../domain/money.ts'
import { useRight } from '../api/session.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { inWords } from '../page/house-words.ts'
import { CounterLine, CounterLines } from './counter-lines.tsx'
import type { SoldLine } from './save-sales.ts'

type SoldLinesProps = { lines: readonly SoldLine[]; onDismiss: (id: number) => void }

/** What was just sold here; whoever sees sales may open one, to take it back the same day. */
export default function SoldLines({ lines, onDismiss }: SoldLinesProps) {
  const mayOpen = useRight('LIST_SELL')
  return (
    <CounterLines title={inWords('Ventes enregistrées')}>
      {lines.map(({ id, title, price, beneficiary_name }) => (
        <CounterLine key={id} title={title} onDismiss={() => onDismiss(id)}>
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
        </CounterLine>
      ))}
    </CounterLines>
  )
}
