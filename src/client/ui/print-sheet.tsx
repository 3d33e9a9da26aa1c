import { getNonce } from 'get-nonce'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

import styles from './print-sheet.module.css'
import { printOut } from './printing.ts'

/** A slip is a roll of 80 mm. */
type Paper = 'slip' | 'upright' | 'lying'

type PrintSheetProps = {
  paper: Paper
  title: string
  children: ReactNode
}

/** Printed instead of the page once drawn, and gone when the person is back. */
export function PrintSheet({ paper, title, children }: PrintSheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const rules = document.createElement('style')
    rules.nonce = getNonce() ?? ''
    rules.textContent = `@page { ${pageOf(paper, sheet.current)} }`
    document.head.append(rules)
    const before = document.title
    document.title = title
    return () => {
      document.title = before
      rules.remove()
    }
  }, [paper, title])
  useEffect(() => {
    // A telephone keeps drawing the sheet, so only a gesture tells that it is done.
    const leave = () => printOut(null)
    print()
    for (const gesture of gestures) addEventListener(gesture, leave, { capture: true, once: true })
    return () => {
      for (const gesture of gestures) removeEventListener(gesture, leave, { capture: true })
    }
  }, [])
  return createPortal(
    <div ref={sheet} className={styles['sheet']} data-paper={paper}>
      {children}
    </div>,
    document.body,
  )
}

const gestures = ['pointerdown', 'keydown'] as const

const numbered =
  '@bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif }'

function pageOf(paper: Paper, sheet: HTMLElement | null): string {
  if (paper !== 'slip')
    return `size: A4 ${paper === 'lying' ? 'landscape' : 'portrait'}; margin: 12mm; ${numbered}`
  const pixels = sheet?.getBoundingClientRect().height ?? 0
  return `size: 80mm ${Math.ceil(pixels * millimetresOfPixel) + 2}mm; margin: 0`
}
const millimetresOfPixel = 25.4 / 96
