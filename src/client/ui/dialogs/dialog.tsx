import { Button, Group, Modal, type ModalProps, VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, useContext, useId, useState } from 'react'

import { sayIgnored } from '../../scanner/ignored-scan.ts'
import type { ScanHandler } from '../../scanner/scan-source.tsx'
import { DialogTitle } from './dialog-title.ts'
import styles from './dialog.module.css'
import { WhileOpen } from './while-open.tsx'
import { inWords } from '../../page/house-words.ts'

/** What the main button does for good: lose something, send in somebody's name, leave the screen, or pass over somebody's right. */
export type ForGood = 'destroys' | 'sends' | 'leaves' | 'passes-over'

const ForGoodContext = createContext<ForGood | undefined>(undefined)

export type DialogProps = {
  title: string
  /** What people wrote stands in the title without « »: it is read as it is. */
  isNamed?: boolean
  isOpen?: boolean
  onClose: () => void
  /** The dialog then focuses its safe button, and no key presses a button before it was read. */
  acts?: ForGood | undefined
  /** It opened by itself, so what is being typed is meant for something else. */
  isUnasked?: boolean
  /** Answers false where it has no use for the code; without it, a scan says that it does nothing. */
  onScan?: ScanHandler
  children: ReactNode
} & Pick<
  ModalProps,
  'size' | 'withCloseButton' | 'closeOnClickOutside' | 'overlayProps' | 'centered' | 'yOffset'
>

/** Every dialog: scans neither confirm nor pass it, and the focus goes back even if its opener is gone. */
export function Dialog({
  title: label,
  isNamed = false,
  isOpen = true,
  onClose,
  acts,
  isUnasked = false,
  onScan,
  children,
  ...looks
}: DialogProps) {
  const title = isNamed ? label : inWords(label)
  const id = useId()
  const [ignored, setIgnored] = useState({ count: 0, sentence: '' })
  const takeScan: ScanHandler = (code, symbology) => {
    if (onScan && onScan(code, symbology) !== false) return
    const sentence = sayIgnored(code, { symbology, isRead: false })
    setIgnored(({ count }) => ({ count: count + 1, sentence }))
  }
  return (
    <>
      {isOpen ? (
        <WhileOpen id={id} isGuarded={isUnasked || acts !== undefined} onClose={onClose} onScan={takeScan} />
      ) : null}
      <Modal
        {...looks}
        id={id}
        opened={isOpen}
        onClose={onClose}
        title={title}
        closeOnEscape={false}
        returnFocus={false}
      >
        <DialogTitle value={title}>
          <ForGoodContext value={acts}>{children}</ForGoodContext>
        </DialogTitle>
        {/* Only text inside an open dialog is always read; a new key has an equal sentence read again. */}
        <VisuallyHidden aria-live="assertive">
          {ignored.count > 0 ? <span key={ignored.count}>{ignored.sentence}</span> : null}
        </VisuallyHidden>
      </Modal>
    </>
  )
}

type DialogButtonsProps = { onCancel: () => void; cancelLabel?: string; children?: ReactNode }

export function DialogButtons({ onCancel, cancelLabel = 'Annuler', children }: DialogButtonsProps) {
  const acts = useContext(ForGoodContext)
  return (
    <Group justify="flex-end" className={styles['buttons'] ?? ''}>
      <Button variant="default" onClick={onCancel} data-autofocus={acts !== undefined || undefined}>
        {cancelLabel}
      </Button>
      {children}
    </Group>
  )
}
