// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { Cover } from '../../src/client/ui/cover.tsx'

afterEach(cleanup)

const iconOf = (medium: string | null): string | undefined => {
  const { container } = render(<Cover title="Dune" medium={medium} />)
  const [, name] =
    /tabler-icon-([a-z0-9-]+)/.exec(container.querySelector('svg')?.getAttribute('class') ?? '') ?? []
  cleanup()
  return name
}

describe('the icon of a medium', () => {
  it.each([
    [null, 'book'],
    ['Livre', 'book'],
    ['Bande dessinée', 'book'],
    ['Livre audio', 'headphones'],
    ['Livres lus', 'headphones'],
    ['Livre numérique', 'device-tablet'],
    ['DVD', 'movie'],
    ['Blu-ray', 'movie'],
    ['CD', 'disc'],
    ['Disque vinyle', 'disc'],
    ['Jeu vidéo', 'device-gamepad-2'],
    ['Jeux de société', 'puzzle'],
    ['Périodiques', 'news'],
    ['Partition', 'music'],
    ['Cartes et plans', 'map'],
    ['Œuvre d’art', 'photo'],
    ['Appareil à raclette', 'package'],
  ])('answers to the name that a library gave it: %s', (medium, icon) => {
    expect(iconOf(medium)).toBe(icon)
  })

  it('says nothing that its title does not', () => {
    const { container } = render(<Cover title="Dune" medium="DVD" />)
    expect(container.firstElementChild?.getAttribute('aria-hidden')).toBe('true')
    expect(container.textContent).toBe('')
  })
})
