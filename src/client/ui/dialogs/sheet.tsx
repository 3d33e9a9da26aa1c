import '@mantine/core/styles/Drawer.css'

import { Drawer, type DrawerProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'

import { sayIgnored } from '../../scanner/ignored-scan.ts'
import type { ScanHandler } from '../../scanner/scan-source.tsx'
import { WhileOpen } from './while-open.tsx'
import { inWords } from '../../page/house-words.ts'

type SheetProps = {
  title: string
  isOpen?: boolean
  onClose: () => void
  onScan?: ScanHandler
  children: ReactNode
} & Pick<DrawerProps, 'position' | 'size' | 'withOverlay' | 'lockScroll'>

export function Sheet({ title, isOpen = true, onClose, onScan, children, ...looks }: SheetProps) {
  const id = useId()
  return (
    <>
      {isOpen ? (
        <WhileOpen
          id={id}
          isGuarded={false}
          onClose={onClose}
          onScan={onScan ?? ((code, symbology) => sayIgnored(code, { symbology }))}
        />
      ) : null}
      <Drawer
        {...looks}
        id={id}
        opened={isOpen}
        onClose={onClose}
        title={inWords(title)}
        closeOnEscape={false}
        returnFocus={false}
      >
        {children}
      </Drawer>
    </>
  )
}
