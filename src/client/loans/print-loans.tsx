import { ActionIcon, Menu } from '@mantine/core'
import { IconFileText, IconPrinter, IconReceipt } from '@tabler/icons-react'
import { lazy } from 'react'

import { printOut } from '../ui/printing.ts'
import type { HeldLoan } from './held-loan.ts'
import { inWords } from '../page/house-words.ts'

const LoanSlip = lazy(() => import('./loan-slip.tsx'))

type PrintLoansProps = {
  /** The reader, as people read a name. */
  name: string
  loans: readonly HeldLoan[]
}

/** What a reader has, on a slip of 80 mm or on a sheet. */
export function PrintLoans({ name, loans }: PrintLoansProps) {
  const print = (paper: 'slip' | 'upright') => printOut(<LoanSlip paper={paper} name={name} loans={loans} />)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={inWords('Imprimer les prêts en cours')} title="Imprimer">
          <IconPrinter size="1.4rem" stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconReceipt size="1.2em" aria-hidden />} onClick={() => print('slip')}>
          Imprimer la fiche
        </Menu.Item>
        <Menu.Item leftSection={<IconFileText size="1.2em" aria-hidden />} onClick={() => print('upright')}>
          Imprimer sur une feuille A4
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
