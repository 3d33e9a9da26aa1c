// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ScanSourceProvider, useScans, useSubmitScan } from '../../src/client/scanner/scan-source.tsx'
import type { ScanHandler } from '../../src/client/scanner/scan-source.tsx'

let clock = 1000
afterEach(() => {
  cleanup()
  clock += 10_000
})

/** Types into an element as a browser does: keydown, then the value unless prevented. Says whether the end went through. */
function typeInto(target: HTMLElement, text: string, end: string, gap: number): boolean {
  let passed = true
  for (const key of [...Array.from(text), end]) {
    clock += gap
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'timeStamp', { value: clock })
    passed = fireEvent(target, event)
    if (passed && key.length === 1 && target instanceof HTMLInputElement) {
      fireEvent.input(target, { target: { value: target.value + key } })
    }
  }
  return passed
}

function Taker({ onScan, active = true }: { onScan: ScanHandler; active?: boolean }) {
  useScans(onScan, active)
  return null
}

function Field({ onKeyDown }: { onKeyDown?: (key: string) => void }) {
  const [value, setValue] = useState('du')
  return (
    <input
      aria-label="Nom"
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onKeyDown={(event) => onKeyDown?.(event.key)}
    />
  )
}

function Keyboard() {
  const submit = useSubmitScan()
  return <button onClick={() => submit(' ]F0A123456B ', 'codabar')}>Valider</button>
}

const show = (children: ReactNode, enabled = true) =>
  render(
    <ScanSourceProvider enabled={enabled} prefix="~">
      {children}
    </ScanSourceProvider>,
  )

describe('typing scanners', () => {
  it('are heard without any field focused', () => {
    const onScan = vi.fn<ScanHandler>()
    show(<Taker onScan={onScan} />)
    expect(typeInto(document.body, 'A30000000000015B', 'Enter', 5)).toBe(false)
    // Guards or letters of the label: whoever knows the labels can tell.
    expect(onScan.mock.calls).toEqual([['A30000000000015B', undefined]])
  })

  it.each(['Enter', 'Tab'])('leave the focused field as it was, and their %s reaches nobody', (end) => {
    const onScan = vi.fn<ScanHandler>()
    const keys: string[] = []
    show(
      <>
        <Taker onScan={onScan} />
        <Field onKeyDown={(key) => keys.push(key)} />
      </>,
    )
    const field = screen.getByLabelText<HTMLInputElement>('Nom')
    typeInto(field, '30000000000015', end, 5)
    expect(onScan).toHaveBeenCalledExactlyOnceWith('30000000000015', undefined)
    expect(field.value).toBe('du')
    expect(keys).not.toContain(end)
    // React holds the same value: what is typed next is added to it.
    fireEvent.input(field, { target: { value: 'dup' } })
    expect(field.value).toBe('dup')
  })

  it('leave a person who types alone', () => {
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <Field />
      </>,
    )
    const field = screen.getByLabelText<HTMLInputElement>('Nom')
    expect(typeInto(field, 'pont-martin', 'Enter', 80)).toBe(true)
    expect(field.value).toBe('dupont-martin')
    expect(onScan).not.toHaveBeenCalled()
  })

  it('type as a keyboard where nobody takes scans, or when they are switched off', () => {
    const onScan = vi.fn<ScanHandler>()
    const { unmount } = show(<Field />)
    expect(typeInto(screen.getByLabelText('Nom'), '1234567', 'Enter', 5)).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('Nom').value).toBe('du1234567')
    unmount()
    show(<Taker onScan={onScan} />, false)
    clock += 10_000
    expect(typeInto(document.body, '1234567', 'Enter', 5)).toBe(true)
    expect(onScan).not.toHaveBeenCalled()
  })

  it('are certain after the prefix', () => {
    const onScan = vi.fn<ScanHandler>()
    show(<Taker onScan={onScan} />)
    typeInto(document.body, '~B1', 'Enter', 90)
    expect(onScan).toHaveBeenCalledExactlyOnceWith('B1', undefined)
  })

  it('are no longer heard once the provider is gone', () => {
    const onScan = vi.fn<ScanHandler>()
    show(<Taker onScan={onScan} />).unmount()
    expect(typeInto(document.body, '1234567', 'Enter', 5)).toBe(true)
    expect(onScan).not.toHaveBeenCalled()
  })
})

function scanOnce(): void {
  clock += 1000
  typeInto(document.body, '1234567', 'Enter', 5)
}

describe('useScans', () => {
  it('gives scans to the most recently mounted taker, then back', () => {
    const onScreen = vi.fn<ScanHandler>()
    const onDialog = vi.fn<ScanHandler>()
    const tree = (dialog: boolean) => (
      <ScanSourceProvider>
        <Taker onScan={onScreen} />
        {dialog && <Taker onScan={onDialog} />}
      </ScanSourceProvider>
    )
    const { rerender } = render(tree(false))
    scanOnce()
    rerender(tree(true))
    scanOnce()
    scanOnce()
    rerender(tree(false))
    scanOnce()
    expect(onScreen).toHaveBeenCalledTimes(2)
    expect(onDialog).toHaveBeenCalledTimes(2)
  })

  it('prefers a child to a parent mounted with it, and only those active', () => {
    const onParent = vi.fn<ScanHandler>()
    const onChild = vi.fn<ScanHandler>()
    function Parent({ active }: { active: boolean }) {
      useScans(onParent)
      return <Taker onScan={onChild} active={active} />
    }
    const { rerender } = show(<Parent active />)
    typeInto(document.body, '1234567', 'Enter', 5)
    expect(onChild).toHaveBeenCalledTimes(1)
    rerender(
      <ScanSourceProvider prefix="~">
        <Parent active={false} />
      </ScanSourceProvider>,
    )
    clock += 1000
    typeInto(document.body, '1234567', 'Enter', 5)
    expect(onParent).toHaveBeenCalledTimes(1)
  })

  it('cleans what camera and keyboard submit', () => {
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <Keyboard />
      </>,
    )
    fireEvent.click(screen.getByText('Valider'))
    expect(onScan).toHaveBeenCalledExactlyOnceWith('123456', 'codabar')
  })
})
