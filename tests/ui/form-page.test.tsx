// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider, TextInput } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { useLayoutEffect } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { FormPage, FormSection, LaterSections } from '../../src/client/ui/forms/form-page.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { useLocalForm } from '../../src/client/ui/forms/use-local-form.ts'

const act = vi.fn()
const onLeave = vi.fn()

function Card() {
  const form = useLocalForm({
    about: 'card',
    initial: { name: 'Alice', town: 'Brest', sites: ['1', '2'] },
    check: ({ name }) => (name === 'personne' ? { name: 'Ce n’est pas un nom.' } : {}),
    act,
  })
  const { onChange } = form.several('sites', 'Sites')
  return (
    <FormPage title="Carte" form={form} onLeave={onLeave}>
      <FormSection title="Qui" about="Ce que la carte dit.">
        <TextInput {...form.text('name', 'Nom')} />
        <TextInput {...form.text('town', 'Ville')} />
        <button type="button" onClick={() => onChange(['1'])}>
          Un site
        </button>
        <button type="button" onClick={() => onChange(['1', '2'])}>
          Deux sites
        </button>
      </FormSection>
    </FormPage>
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } })
const count = () => screen.getByRole('status').textContent

describe('a form that is a screen', () => {
  beforeEach(() => {
    vi.resetAllMocks()
    render(
      <MantineProvider theme={theme} env="test">
        <ConfirmProvider>
          <MemoryRouter>
            <Card />
          </MemoryRouter>
        </ConfirmProvider>
      </MantineProvider>,
    )
  })
  afterEach(cleanup)

  it('says how many of its fields have changed', () => {
    expect(count()).toBe('Aucune modification')
    type('Nom', 'Zoé')
    expect(count()).toBe('1 modification')
    type('Ville', 'Dol')
    press('Un site')
    expect(count()).toBe('3 modifications')
    press('Deux sites')
    type('Nom', 'Alice')
    expect(count()).toBe('1 modification')
  })

  it('is left at once where nothing has changed', () => {
    press('Annuler')
    expect(onLeave).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('puts back what was typed, and what was said against it, once that is meant', async () => {
    type('Nom', 'personne')
    press('Enregistrer')
    expect(screen.getByText('Ce n’est pas un nom.')).toBeInTheDocument()
    press('Annuler')
    expect(await screen.findByRole('dialog', { name: 'Annuler la modification' })).toBeInTheDocument()
    fireEvent.click(screen.getAllByRole('button', { name: 'Valider' })[0]!)
    await waitFor(() => expect(screen.getByLabelText('Nom')).toHaveValue('Alice'))
    expect(screen.queryByText('Ce n’est pas un nom.')).toBeNull()
    expect(count()).toBe('Aucune modification')
    expect(act).not.toHaveBeenCalled()
    expect(onLeave).not.toHaveBeenCalled()
  })

  it('is saved by Ctrl with Enter from any field, and by nothing less', () => {
    type('Nom', 'Zoé')
    fireEvent.keyDown(screen.getByLabelText('Ville'), { key: 'Enter', shiftKey: true })
    expect(act).not.toHaveBeenCalled()
    fireEvent.keyDown(screen.getByLabelText('Ville'), { key: 'Enter', ctrlKey: true })
    expect(act).toHaveBeenCalledExactlyOnceWith({ name: 'Zoé', town: 'Brest', sites: ['1', '2'] })
  })
})

describe('a long form', () => {
  afterEach(cleanup)

  it('has its first section before the others are drawn, which leave the focus where it is', async () => {
    const drawn: string[] = []
    const Long = () => {
      useLayoutEffect(() => {
        screen.getByLabelText('Titre').focus()
        drawn.push(document.body.textContent)
      })
      return (
        <>
          <label>
            Titre <input />
          </label>
          <LaterSections>
            <p>Données complémentaires</p>
          </LaterSections>
        </>
      )
    }
    render(<Long />)
    expect(drawn[0]).toBe('Titre ')
    expect(await screen.findByText('Données complémentaires')).toBeInTheDocument()
    expect(screen.getByLabelText('Titre')).toHaveFocus()
  })
})
