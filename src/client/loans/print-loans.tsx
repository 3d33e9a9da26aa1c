import { Button, Group } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import type { HeldLoan } from './held-loan.ts'

const LoanSlip = lazy(() => import('./loan-slip.tsx'))

type PrintLoansProps = {
  /** The reader, as people read a name. */
  name: string
  loans: readonly HeldLoan[]
}

/** What a reader has, on a slip of 80 mm or on a sheet. */
export function PrintLoans({ name, loans }: PrintLoansProps) {
  const [paper, setPaper] = useState<'slip' | 'upright' | null>(null)
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconPrinter size="1.2em" aria-hidden />}
          onClick={() => setPaper('slip')}
        >
          Imprimer la fiche
        </Button>
        <Button variant="subtle" onClick={() => setPaper('upright')}>
          Sur une feuille A4
        </Button>
      </Group>
      {paper === null ? null : (
        <Suspense fallback={null}>
          <LoanSlip paper={paper} name={name} loans={loans} onDone={() => setPaper(null)} />
        </Suspense>
      )}
    </>
  )
}
