// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider, Menu } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { useMenuButton } from '../../src/client/ui/menu-button.ts'
import { MenuOfButton } from '../../src/client/ui/menu-of-button.tsx'

afterEach(cleanup)

function Place() {
  const { button, attributes, of } = useMenuButton()
  return (
    <>
      <button ref={button} {...attributes}>
        Catalogue
      </button>
      <MenuOfButton of={of} hideDetached={false} transitionProps={{ duration: 0 }}>
        <Menu.Dropdown>
          <Menu.Item>Fonds</Menu.Item>
        </Menu.Dropdown>
      </MenuOfButton>
    </>
  )
}

it('a button of a menu opens it by the down arrow, and Escape gives the focus back', async () => {
  render(<Place />, { wrapper: MantineProvider })
  const button = screen.getByRole('button', { name: 'Catalogue' })
  button.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(await screen.findByRole('menuitem', { name: 'Fonds' })).toBeVisible()
  expect(button).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  expect(button).toHaveFocus()
  expect(button).toHaveAttribute('aria-expanded', 'false')
})
