// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { useShortList } from '../../src/client/ui/lists/short-list.tsx'

afterEach(cleanup)

function Rows({ count }: { count: number }) {
  const rows = Array.from({ length: count }, (_, at) => at + 1)
  const { shown, more } = useShortList(rows, (row) => row === 45)
  return (
    <>
      <ol>
        {shown.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ol>
      {more}
    </>
  )
}

it('a long list shows its first forty rows and those to be heeded, and the others when asked', async () => {
  const { rerender } = render(<Rows count={40} />, { wrapper: MantineProvider })
  expect(screen.getAllByRole('listitem')).toHaveLength(40)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<Rows count={50} />)
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    ...Array.from({ length: 40 }, (_, at) => String(at + 1)),
    '45',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Afficher les 9 autres lignes' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(50)
  expect(screen.queryByRole('button')).toBeNull()
})
