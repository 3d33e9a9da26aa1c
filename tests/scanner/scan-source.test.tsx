// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  holdUntilStanding,
  TypingScanners,
  useScans,
  useStandingScreen,
  submitScan,
} from '../../src/client/scanner/scan-source.tsx'
import type { ScanHandler } from '../../src/client/scanner/scan-source.tsx'
import { beginSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import { knowShapes } from '../../src/client/scanner/known-shapes.ts'
import { takeNotTaken } from '../../src/client/scanner/scans-not-taken.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { SearchPicker } from '../../src/client/ui/forms/search-picker.tsx'
import { type CodeShape, learnCode } from '../../src/domain/code-shapes.ts'

function shapesOf(...codes: string[]): CodeShape[] {
  const shapes: CodeShape[] = []
  for (const code of codes) learnCode(shapes, code, 'copy')
  return shapes
}

async function know(...codes: string[]): Promise<void> {
  await knowShapes(shapesOf(...codes))
  onTestFinished(() => knowShapes([]))
}

function signIn(): void {
  beginSession('jeton', 1)
  rememberUser({ id: 1, rights: [] } as never)
  onTestFinished(() => {
    takeNotTaken()
    leaveSession()
  })
}

/** What the browser kept of keys that were typed `gap` ms apart before the page heard any. */
const typedEarly = (text: string, gap = 8) => {
  const begun = clock
  globalThis.takeEarlyKeys = () =>
    [...Array.from(text), 'Enter'].map((key, at) => ({ key, at: begun + at * gap }))
}

let clock = 1000
afterEach(() => {
  cleanup()
  notifications.clean()
  clock += 10_000
})

/** One key as a browser sends it, down and up. Says whether it went through. */
function key(target: HTMLElement, name: string, gap: number): boolean {
  clock += gap
  const send = (type: 'keydown' | 'keyup') => {
    const event = new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'timeStamp', { value: clock })
    return fireEvent(target, event)
  }
  const passed = send('keydown')
  if (passed && name.length === 1 && target instanceof HTMLInputElement) {
    fireEvent.input(target, { target: { value: target.value + name } })
  }
  send('keyup')
  return passed
}

/** Types as a browser does, keydown before the value; answers whether the end went through. */
const typeInto = (target: HTMLElement, text: string, end: string, gap: number): boolean =>
  [...Array.from(text), end].map((name) => key(target, name, gap)).at(-1) ?? true

function Taker({ onScan, active = true }: { onScan: ScanHandler; active?: boolean }) {
  useScans(onScan, active)
  return null
}

function FirstScreen({ onScan }: { onScan: ScanHandler }) {
  useStandingScreen()
  return <Taker onScan={onScan} />
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

/** Finds one hit for whatever is typed, and has it under the arrow. */
function Search(on: { onEnter: (text: string) => void; onPick: (value: string) => void }) {
  const [text, setText] = useState('')
  return (
    <SearchPicker
      label="Exemplaire"
      text={text}
      onText={setText}
      choices={[{ value: text, label: `Trouvé par ${text}` }]}
      isSearching={false}
      none="Aucun"
      isOnlyMarked
      {...on}
    />
  )
}

function Keyboard() {
  return <button onClick={() => submitScan(' ]F0A123456B ', 'codabar')}>Valider</button>
}

const around = (children: ReactNode) => (
  <MantineProvider env="test">
    <Notifications />
    <TypingScanners />
    {children}
  </MantineProvider>
)
const show = (children: ReactNode) => render(around(children))

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

  it('are heard however slow where nobody writes, and leave fields to fingers', async () => {
    signIn()
    await know('31555510000017', '31555510000025')
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <Field />
        <input type="date" aria-label="Jour" />
        <input type="checkbox" aria-label="Coché" />
      </>,
    )
    for (const label of ['Nom', 'Jour'])
      expect(typeInto(screen.getByLabelText(label), '31555510000017', 'Enter', 110)).toBe(true)
    expect([onScan.mock.calls, takeNotTaken()]).toEqual([[], []])
    for (const place of [document.body, screen.getByLabelText('Coché')])
      expect(typeInto(place, '31555510000017', 'Enter', 110)).toBe(false)
    expect(onScan.mock.calls).toEqual([1, 2].map(() => ['31555510000017', undefined]))
  })

  it('put the cursor back where it was', () => {
    show(<Field />)
    const field = screen.getByLabelText<HTMLInputElement>('Nom')
    field.setSelectionRange(1, 1)
    typeInto(field, '30000000000015', 'Enter', 5)
    expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['du', 1, 1])
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

  it.each(['Enter', 'Tab'])(
    'confirm nothing by their %s where nobody takes scans, and that is said',
    async (end) => {
      const keys: string[] = []
      show(<Field onKeyDown={(key) => keys.push(key)} />)
      expect(typeInto(screen.getByLabelText('Nom'), '1234567', end, 5)).toBe(false)
      expect(keys).not.toContain(end)
      expect(screen.getByLabelText<HTMLInputElement>('Nom').value).toBe('du')
      expect(await screen.findByText(/Code .+ lu, ignoré/)).toBeVisible()
    },
  )

  it('act by none of their keys on what is no text field', () => {
    const keys: string[] = []
    show(
      <button onKeyDown={({ key }) => keys.push(key)} onKeyUp={({ key }) => keys.push(`${key} up`)}>
        Supprimer
      </button>,
    )
    typeInto(screen.getByText('Supprimer'), 'AB 12 345', 'Enter', 5)
    // The first key may be a person's.
    expect(keys).toEqual(['A', 'A up'])
  })

  it('leave fast keys to text fields, and to fields of choices what they held', () => {
    show(
      <select aria-label="Statut" defaultValue="late">
        <option value="all">Tous</option>
        <option value="late">Retard</option>
      </select>,
    )
    const field = screen.getByLabelText<HTMLSelectElement>('Statut')
    clock += 1000
    key(field, 'T', 0)
    field.value = 'all'
    for (const one of [...Array.from('1234567'), 'Enter']) key(field, one, 5)
    expect(field.value).toBe('late')
  })

  it('confirm nothing either by a code too short to be told from a word, outside of text', () => {
    show(<button>Supprimer</button>)
    expect(typeInto(screen.getByText('Supprimer'), '1001', 'Enter', 5)).toBe(false)
    clock += 1000
    expect(typeInto(screen.getByText('Supprimer'), 'ab', 'Enter', 5)).toBe(true)
    clock += 1000
    expect(typeInto(screen.getByText('Supprimer'), '1001', 'Enter', 80)).toBe(true)
  })

  it('press nothing by an Enter that comes late, until somebody presses something else', () => {
    show(<button>Annuler</button>)
    const button = screen.getByText('Annuler')
    for (const one of '1001') key(button, one, 5)
    expect(key(button, 'Enter', 700)).toBe(false)
    clock += 1000
    for (const one of '1001') key(button, one, 5)
    fireEvent.pointerDown(button)
    expect(key(button, 'Enter', 700)).toBe(true)
  })

  it('are certain after the prefix', () => {
    const onScan = vi.fn<ScanHandler>()
    setPreference('scanner_prefix', '~')
    show(<Taker onScan={onScan} />)
    typeInto(document.body, '~B1', 'Enter', 90)
    expect(onScan).toHaveBeenCalledExactlyOnceWith('B1', undefined)
    setPreference('scanner_prefix', '')
  })

  it('are no longer heard once nobody listens to them', () => {
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
      <>
        <TypingScanners />
        <Taker onScan={onScreen} />
        {dialog && <Taker onScan={onDialog} />}
      </>
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
    const tree = (active: boolean) => (
      <>
        <TypingScanners />
        <Parent active={active} />
      </>
    )
    const { rerender } = render(tree(true))
    scanOnce()
    expect(onChild).toHaveBeenCalledTimes(1)
    rerender(tree(false))
    scanOnce()
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

  it('come to the first screen, in order, when they were typed before it stood and before the page heard them', () => {
    const onScan = vi.fn<ScanHandler>()
    typedEarly('30000000000015', 1)
    holdUntilStanding()
    const page = show(null)
    clock += 1000
    typeInto(document.body, '1234567', 'Enter', 5)
    expect(onScan).not.toHaveBeenCalled()
    page.rerender(around(<FirstScreen onScan={onScan} />))
    expect(onScan.mock.calls.map(([code]) => code)).toEqual(['30000000000015', '1234567'])
    typeInto(document.body, '7654321', 'Enter', 5)
    expect(onScan).toHaveBeenLastCalledWith('7654321', undefined)
  })

  it('wait to be taken up where they were too short to be told from a word before the page heard them', () => {
    signIn()
    const onScan = vi.fn<ScanHandler>()
    typedEarly('L12')
    show(<Taker onScan={onScan} />)
    expect(onScan).not.toHaveBeenCalled()
    expect(takeNotTaken()).toEqual([{ code: 'L12' }])
  })

  it('come each by itself where a scanner without endings typed them before the page heard any', () => {
    const onScan = vi.fn<ScanHandler>()
    const begun = clock
    globalThis.takeEarlyKeys = () =>
      ['30000000000015', '30000000000023'].flatMap((code, nth) =>
        Array.from(code, (key, at) => ({ key, at: begun + nth * 2_000 + at })),
      )
    holdUntilStanding()
    show(<FirstScreen onScan={onScan} />)
    expect(onScan.mock.calls).toEqual([['30000000000015', undefined]])
    clock += 4_000
    // The second has had no second yet when the page begins to hear.
    key(document.body, 'Shift', 0)
    expect(onScan.mock.calls.at(-1)).toEqual(['30000000000023', undefined])
  })

  it('of two signs wait to be taken up where the library has such codes, even if it is known later', async () => {
    vi.resetModules()
    const source = await import('../../src/client/scanner/scan-source.tsx')
    const shapes = await import('../../src/client/scanner/known-shapes.ts')
    const strip = await import('../../src/client/scanner/scans-not-taken.ts')
    const session = await import('../../src/client/api/session.ts')
    session.beginSession('jeton', 1)
    session.rememberUser({ id: 1, rights: [] } as never)
    onTestFinished(session.leaveSession)
    const onScan = vi.fn<ScanHandler>()
    const Takes = () => {
      source.useScans(onScan)
      return <source.TypingScanners />
    }
    render(
      <MantineProvider env="test">
        <Takes />
      </MantineProvider>,
    )
    typeInto(document.body, 'L1', 'Enter', 8)
    clock += 2_000
    typeInto(document.body, 'ab', 'Enter', 8)
    expect(strip.takeNotTaken()).toEqual([])
    await shapes.knowShapes(shapesOf('L2', 'L3'))
    await vi.waitFor(() => expect(strip.takeNotTaken()).toEqual([{ code: 'L1' }]))
    clock += 2_000
    expect(typeInto(document.body, 'L4', 'Enter', 8)).toBe(false)
    await vi.waitFor(() => expect(strip.takeNotTaken()).toEqual([{ code: 'L4' }]))
    expect(onScan).not.toHaveBeenCalled()
  })

  it('are joined in the box to what stood there where that makes a code of the library, however long the pause', async () => {
    await know('31555510000017', '31555510000025', '31555510000066')
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <input aria-label="Code" data-scan-box />
      </>,
    )
    const box = screen.getByLabelText<HTMLInputElement>('Code')
    for (const name of '31555') key(box, name, 8)
    clock += 5_000
    expect(typeInto(box, '510000066', 'Enter', 8)).toBe(false)
    expect(onScan.mock.calls).toEqual([['31555510000066', undefined]])
    expect(box.value).toBe('')
    // A whole code is taken by itself.
    clock += 5_000
    for (const name of 'dup') key(box, name, 120)
    clock += 5_000
    typeInto(box, '31555510000017', 'Enter', 8)
    expect(onScan.mock.calls.at(-1)).toEqual(['31555510000017', undefined])
    expect(box.value).toBe('dup')
  })

  it('are said to be read in two in the box where nobody can tell, which is empty for the next', async () => {
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <input aria-label="Code" data-scan-box />
      </>,
    )
    const box = screen.getByLabelText<HTMLInputElement>('Code')
    for (const name of '31555') key(box, name, 8)
    clock += 5_000
    expect(typeInto(box, '510000066', 'Enter', 8)).toBe(false)
    expect(onScan).not.toHaveBeenCalled()
    expect(box.value).toBe('')
    expect(await screen.findByText('Code lu en deux fois, à scanner de nouveau')).toBeVisible()
    clock += 5_000
    typeInto(box, '31555510000066', 'Enter', 8)
    expect(onScan.mock.calls).toEqual([['31555510000066', undefined]])
  })

  it('are one code through a pause, and are said to be read in two where it was too long', async () => {
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <Field />
      </>,
    )
    const field = screen.getByLabelText<HTMLInputElement>('Nom')
    const [head, tail] = ['31555', '510000066']
    for (const name of head) key(field, name, 8)
    clock += 300
    typeInto(field, tail, 'Enter', 8)
    expect(onScan.mock.calls).toEqual([['31555510000066', undefined]])
    expect(field.value).toBe('du')
    clock += 5_000
    for (const name of head) key(field, name, 8)
    clock += 700
    expect(typeInto(field, tail, 'Enter', 8)).toBe(false)
    expect(onScan).toHaveBeenCalledOnce()
    expect(field.value).toBe('du')
    expect(await screen.findByText('Code lu en deux fois, à scanner de nouveau')).toBeVisible()
  })

  it('choose nothing of what a search found by half a code, in pieces or not', async () => {
    await know('21555000000016', '21555000000024', '21555000000032')
    const [onScan, onEnter, onPick] = [vi.fn<ScanHandler>(), vi.fn(), vi.fn()]
    show(
      <>
        <Taker onScan={onScan} />
        <Search onEnter={onEnter} onPick={onPick} />
      </>,
    )
    const field = screen.getByRole<HTMLInputElement>('combobox')
    for (const pause of [700, 5_000]) {
      clock += 10_000
      for (const name of '215550') key(field, name, 8)
      expect(await screen.findByRole('option', { name: 'Trouvé par 215550' })).toBeVisible()
      clock += pause
      expect(typeInto(field, '00000016', 'Enter', 8)).toBe(false)
      expect(onScan).toHaveBeenLastCalledWith('21555000000016', undefined)
      expect(field.value).toBe('')
    }
    expect(onScan).toHaveBeenCalledTimes(2)
    expect([onEnter.mock.calls, onPick.mock.calls]).toEqual([[], []])
  })

  it('leave a box for codes what stands in it when the pause was too long, and its Enter', () => {
    const onScan = vi.fn<ScanHandler>()
    show(
      <>
        <Taker onScan={onScan} />
        <input aria-label="Code" data-scan-box />
      </>,
    )
    const box = screen.getByLabelText<HTMLInputElement>('Code')
    for (const name of '31555') key(box, name, 8)
    clock += 700
    expect(typeInto(box, '510000066', 'Enter', 8)).toBe(true)
    expect(box.value).toBe('31555510000066')
    expect(onScan).not.toHaveBeenCalled()
  })
})
