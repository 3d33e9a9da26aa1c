// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider, TextInput } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { useScans, submitScan } from '../../src/client/scanner/scan-source.tsx'
import { FormDialog } from '../../src/client/ui/forms/form-dialog.tsx'
import { FormElement } from '../../src/client/ui/forms/form-element.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { useLocalForm } from '../../src/client/ui/forms/use-local-form.ts'
import { count, someText } from '../../src/contract/wire.ts'

afterEach(cleanup)

const show = (children: ReactNode) =>
  render(
    <MantineProvider theme={theme} env="test">
      {children}
    </MantineProvider>,
  )
const valider = () => screen.getByRole('button', { name: 'Valider' })
const field = (name: string) => screen.getByLabelText(name)
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })

type Acts = { act: (values: object) => unknown; onDone?: (answer: unknown) => void }

const schema = v.strictObject({ name: someText(10), years: count(1, 9) })

const nothing = () => undefined

/** A dialog of two fields, both wrong at first. */
function Naming({ act, onDone = nothing }: Acts) {
  const [isOpen, setOpen] = useState(true)
  return isOpen ? <NamingDialog act={act} onDone={onDone} onClose={() => setOpen(false)} /> : null
}
function NamingDialog({ onClose, ...acts }: Required<Acts> & { onClose: () => void }) {
  const form = useLocalForm<{ name: string; years: number }>({
    about: 'form 0',
    initial: { name: '', years: 12 },
    check: ({ name }) => (name === 'personne' ? { name: 'Ce n’est pas un nom.' } : {}),
    schema,
    ...acts,
  })
  return (
    <FormDialog title="Nommer" form={form} onClose={onClose}>
      <TextInput {...form.text('name', 'Nom')} />
      <TextInput {...form.number('years', 'Années')} onChange={() => undefined} />
      <button type="button" onClick={() => form.write('years', 3)}>
        Trois
      </button>
    </FormDialog>
  )
}

describe('a form in a dialog', () => {
  it('begins in its first field', async () => {
    show(<Naming act={() => undefined} />)
    await waitFor(() => expect(field('Nom')).toHaveFocus())
  })

  it('is not thrown away by a press beside it, once something is written in it', () => {
    show(<Naming act={() => undefined} />)
    const pressBeside = () => {
      const beside = document.querySelector('.mantine-Modal-overlay')!
      fireEvent.mouseDown(beside)
      fireEvent.click(beside)
    }
    type('Nom', 'Zoé')
    pressBeside()
    expect(field('Nom')).toHaveValue('Zoé')
    type('Nom', '')
    pressBeside()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says what is wrong at each field by its label, the first above and under the fingers, and sends nothing', async () => {
    const act = vi.fn()
    show(<Naming act={act} />)
    fireEvent.click(valider())
    const said = 'Le champ «\u00a0Nom\u00a0» ne doit pas être vide.'
    expect(screen.getByRole('alert').textContent).toBe(said)
    expect(field('Nom')).toHaveAccessibleDescription(said)
    expect(field('Nom')).toHaveFocus()
    expect(field('Années')).toHaveAccessibleDescription('Le champ «\u00a0Années\u00a0» doit être au plus 9.')
    expect(act).not.toHaveBeenCalled()
  })

  it('says its own words before those of the schema', () => {
    show(<Naming act={() => undefined} />)
    type('Nom', 'personne')
    fireEvent.click(valider())
    expect(screen.getByRole('alert')).toHaveTextContent('Ce n’est pas un nom.')
  })

  it('acts once, however often it is pressed meanwhile, and again once it failed', async () => {
    const act = vi.fn(() => Promise.reject(new Error('plus rien')))
    show(<Naming act={act} />)
    type('Nom', 'Alice')
    fireEvent.click(screen.getByText('Trois'))
    const form = valider().closest('form')!
    fireEvent.submit(form)
    fireEvent.submit(form)
    expect(act).toHaveBeenCalledExactlyOnceWith({ name: 'Alice', years: 3 })
    expect(await screen.findByRole('alert')).toHaveTextContent("Une erreur s'est produite.")
    fireEvent.submit(form)
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('tells nothing to a screen that it has left', async () => {
    const onDone = vi.fn()
    let finish: (answer: unknown) => void = () => undefined
    show(<Naming act={() => new Promise((resolve) => (finish = resolve))} onDone={onDone} />)
    type('Nom', 'Alice')
    fireEvent.click(screen.getByText('Trois'))
    fireEvent.click(valider())
    fireEvent.click(screen.getByText('Annuler'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    finish('fait')
    await Promise.resolve()
    expect(onDone).not.toHaveBeenCalled()
  })

  it('is not confirmed by a scan', async () => {
    const [act, taken] = [vi.fn(), vi.fn()]
    function Under() {
      useScans(taken)
      return <button onClick={() => submitScan('1234567')}>Lire</button>
    }
    show(
      <>
        <Under />
        <Naming act={act} />
      </>,
    )
    type('Nom', 'Alice')
    fireEvent.click(screen.getByText('Trois'))
    fireEvent.click(screen.getByText('Lire'))
    expect(await screen.findByText(/Code .+ lu, ignoré/)).toBeInTheDocument()
    expect(act).not.toHaveBeenCalled()
    expect(taken).not.toHaveBeenCalled()
    expect(field('Nom')).toHaveValue('Alice')
  })
})

describe('a form in a page', () => {
  it('is not sent while a field says itself that it is wrong', () => {
    const act = vi.fn()
    function Page() {
      const form = useLocalForm({ about: 'day', initial: { day: '' }, act })
      return (
        <FormElement form={form}>
          <TextInput
            {...form.text('day', 'Jour')}
            ref={(input) => input?.setCustomValidity(input.value === '31/02' ? 'Date inconnue' : '')}
          />
          <p>{form.problem ?? 'rien'}</p>
          <button type="submit">Valider</button>
        </FormElement>
      )
    }
    show(<Page />)
    type('Jour', '31/02')
    ;(field('Jour') as HTMLInputElement).setCustomValidity('Date inconnue')
    fireEvent.submit(valider().closest('form')!)
    expect(act).not.toHaveBeenCalled()
    expect(field('Jour')).toHaveFocus()
    expect(screen.getByText('rien')).toBeInTheDocument()
  })

  it('says what stands at no field, and does not send a blank field that it did not begin with', async () => {
    const act = vi.fn(() => Promise.reject(new Error('non')))
    function Page() {
      const form = useLocalForm<{ name: string; motive?: string }>({
        about: 'form 1',
        initial: { name: 'Alice' },
        act,
        wording: () => 'Refusé.',
      })
      return (
        <FormElement form={form}>
          <TextInput {...form.text('name', 'Nom')} />
          <TextInput {...form.text('motive', 'Motif')} />
          <p>{form.problem}</p>
          <p>{form.isDirty ? 'changé' : 'comme avant'}</p>
          <button type="submit">Valider</button>
        </FormElement>
      )
    }
    show(<Page />)
    expect(screen.getByText('comme avant')).toBeInTheDocument()
    type('Motif', 'a')
    expect(screen.getByText('changé')).toBeInTheDocument()
    type('Motif', '')
    type('Nom', '')
    fireEvent.submit(valider().closest('form')!)
    expect(await screen.findByText('Refusé.')).toBeInTheDocument()
    expect(act).toHaveBeenCalledExactlyOnceWith({ name: '', motive: undefined })
  })
})
