// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { SearchPicker } from '../../src/client/ui/forms/search-picker.tsx'
import { type LoneHit, useLoneHit, useStandingHit } from '../../src/client/ui/forms/use-lone-hit.ts'

afterEach(cleanup)

type Hit = { id: number; name: string }

const hits: readonly Hit[] = [
  { id: 1, name: 'Martin' },
  { id: 2, name: 'Marceau' },
  { id: 3, name: 'Zola' },
]

function Search({ lone, onPick }: { lone: LoneHit<Hit>; onPick: (hit: Hit) => void }) {
  const [text, setText] = useState('')
  const found = text === '' ? [] : hits.filter(({ name }) => name.startsWith(text))
  const [only = null, ...others] = found
  useStandingHit(lone, others.length === 0 ? only : null)
  const pick = (hit: Hit | null) => {
    if (!hit) return
    lone.settle()
    onPick(hit)
  }
  return (
    <SearchPicker
      label="Auteur"
      text={text}
      onText={setText}
      choices={lone.isChosen ? undefined : found.map(({ id, name }) => ({ value: String(id), label: name }))}
      isSearching={false}
      none="Aucun"
      onPick={(value) => pick(found.find(({ id }) => String(id) === value) ?? null)}
      onEnter={() => pick(others.length === 0 ? only : null)}
      onUnchoose={lone.isChosen ? lone.unchoose : undefined}
    />
  )
}

function Field({ isUsed = false }: { isUsed?: boolean }) {
  const [chosen, choose] = useState<Hit | null>(null)
  const lone = useLoneHit<Hit>(chosen?.id ?? null, choose, isUsed)
  return (
    <MantineProvider env="test">
      {lone.isSearching ? <Search lone={lone} onPick={choose} /> : null}
      <output>{chosen?.name ?? 'personne'}</output>
    </MantineProvider>
  )
}

const field = () => screen.getByLabelText('Auteur', { selector: 'input' })
const isChosen = (name: string) => expect(screen.getByRole('status')).toHaveTextContent(name)
const retained = 'Seul résultat, retenu. Échap pour reprendre la recherche.'

describe('a single hit of a form', () => {
  it('is chosen and said aloud, while the field keeps the text and the focus', async () => {
    render(<Field />)
    await userEvent.type(field(), 'Mar')
    isChosen('personne')
    expect(screen.getAllByRole('option')).toHaveLength(2)
    await userEvent.type(field(), 't')
    isChosen('Martin')
    expect(screen.getByText(retained)).toHaveAttribute('aria-live', 'polite')
    expect(field()).toHaveFocus()
    expect(field()).toHaveValue('Mart')
    expect(screen.queryByRole('option')).toBeNull()
  })

  it('is taken back by Escape, which leaves the text, and is not chosen again by itself', async () => {
    render(<Field />)
    await userEvent.type(field(), 'Z')
    isChosen('Zola')
    await userEvent.keyboard('{Escape}')
    isChosen('personne')
    expect(field()).toHaveValue('Z')
    expect(screen.queryByText(retained)).toBeNull()
    expect(screen.getByRole('option', { name: 'Zola' })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    isChosen('Zola')
  })

  it('is taken back by who types on', async () => {
    render(<Field />)
    await userEvent.type(field(), 'Zo')
    isChosen('Zola')
    await userEvent.type(field(), 'ub')
    isChosen('personne')
  })

  it('stays once something was built on it, without the field', async () => {
    const { rerender } = render(<Field />)
    await userEvent.type(field(), 'Zo')
    rerender(<Field isUsed />)
    isChosen('Zola')
    expect(screen.queryByLabelText('Auteur')).toBeNull()
    rerender(<Field />)
    isChosen('Zola')
  })
})
