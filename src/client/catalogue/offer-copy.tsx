import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { findIsbn13 } from '../../domain/bar-code.ts'
import { useConnection } from '../api/connection.ts'
import { useRight } from '../api/session.ts'

const UnknownCodeDialog = lazy(() => import('./unknown-code-dialog.tsx'))

type OfferCopyProps = Omit<ButtonProps, 'onClick'> & {
  /** What nobody's label says. */
  code: string
  /** A copy has this code now, or for an ISBN the code that is given. */
  onAdded: (code: string) => void
}

/** Offers to add the copy of an unknown code, to whoever may and while the server answers. */
export default function OfferCopy({ code, onAdded, ...button }: OfferCopyProps) {
  const [isOpen, setOpen] = useState(false)
  const mayAdd = useRight('COPY_CREATECOPY')
  const maySeek = useRight('LIST_REFERENCES')
  const isOnline = useConnection() === 'online'
  if (!mayAdd || !maySeek || (!isOnline && !isOpen)) return null
  return (
    <>
      <Button
        variant="light"
        {...button}
        onClick={() => setOpen(true)}
        aria-label={`${labelOf(code)}\u202f: ${code}`}
      >
        {labelOf(code)}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <UnknownCodeDialog code={code} onAdded={onAdded} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const labelOf = (code: string): string =>
  findIsbn13(code) === null ? 'Ajouter l’exemplaire' : 'Ajouter au catalogue'
