// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { among, days, namesOf, search } from '../../src/client/ui/lists/filters.tsx'
import { Pager } from '../../src/client/ui/lists/pager.tsx'
import { ResourceTable } from '../../src/client/ui/lists/resource-table.tsx'
import { SearchFilter } from '../../src/client/ui/lists/search-filter.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { type ListAddress, useListAddress } from '../../src/client/ui/lists/use-list-address.ts'
import { loanList } from '../../src/contract/loans.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const inTheme = (children: React.ReactNode) => (
  <MantineProvider theme={theme} env="test">
    {children}
  </MantineProvider>
)

/** A list's screen at an address; `children` draw what is tried. */
function openList(search: string, children: (address: ListAddress) => React.ReactNode = () => null) {
  const told: { address?: ListAddress } = {}
  function List() {
    const address = useListAddress(loanList, { cycle: 'asc-first', defaults: { 'status|in': 'in_progress' } })
    told.address = address
    return children(address)
  }
  const router = createMemoryRouter(
    [
      { path: '/list', Component: List },
      { path: '/other', element: <h1>Autre</h1> },
    ],
    { initialEntries: [`/list${search}`] },
  )
  render(inTheme(<RouterProvider router={router} />))
  return {
    router,
    get list() {
      return told.address!.list
    },
    get search() {
      return decodeURIComponent(router.state.location.search)
    },
  }
}

const atPage = (page: number) => ({
  list: { page, limit: 10, order: [], filters: [] },
  setPage: vi.fn(),
  setLimit: vi.fn(),
})
const numbers = () =>
  screen.getAllByRole('button', { name: /^Page \d+$/ }).map(({ textContent }) => textContent)

describe('the pager', () => {
  it.each([
    [1, 30, ['1', '2', '3']],
    [1, 400, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
    [20, 400, ['15', '16', '17', '18', '19', '20', '21', '22', '23', '24']],
    [40, 400, ['31', '32', '33', '34', '35', '36', '37', '38', '39', '40']],
  ])('shows up to ten pages around page %i of %i lines', async (page, total, shown) => {
    const address = atPage(page)
    render(inTheme(<Pager address={address} total={total} one="prêt" many="prêts" />))
    expect(numbers()).toEqual(shown)
    const current = screen.getByRole('button', { current: 'page' })
    expect(current).toHaveTextContent(String(page))
    await userEvent.click(screen.getByRole('button', { name: `Page ${shown[1]}` }))
    expect(address.setPage).toHaveBeenCalledWith(Number(shown[1]))
  })

  it('says that there is none rather than zero', () => {
    const pager = (props: { none?: string }) => (
      <Pager address={atPage(1)} total={0} one="prêt" many="prêts" {...props} />
    )
    const { rerender } = render(inTheme(pager({ none: 'Aucun prêt' })))
    expect(screen.getByRole('status')).toHaveTextContent(/^Aucun prêt$/)
    rerender(inTheme(pager({})))
    expect(screen.getByRole('status')).toHaveTextContent(/^Aucun résultat$/)
  })

  it('says the page and their count on a phone', () => {
    vi.stubGlobal('innerWidth', 390)
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: true,
      media,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    render(inTheme(<Pager address={atPage(2)} total={30} one="prêt" many="prêts" />))
    expect(screen.getByText('2 / 3')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Page 2' })).toBeNull()
  })
})

describe('a list whose page is past the last', () => {
  const columns = [{ key: 'name', title: 'Nom', cell: (row: string) => row }]
  const table = (total: number | undefined, isStale: boolean) => (address: ListAddress) => (
    <ResourceTable
      label="Prêts"
      columns={columns}
      rows={address.list.page > 2 ? [] : ['Un livre']}
      rowKey={(row) => row}
      address={address}
      total={total}
      isStale={isStale}
      empty="Aucun prêt."
    />
  )

  it('goes to the last one', async () => {
    const page = openList('?page=3', table(50, false))
    await waitFor(() => expect(page.list.page).toBe(2))
    expect(screen.getByText('Un livre')).toBeVisible()
  })

  it('waits for the count of what was asked for', () => {
    const page = openList('?page=3', table(50, true))
    expect(page.list.page).toBe(3)
    expect(screen.getByText('Chargement en cours...')).toHaveAttribute('role', 'status')
  })
})

describe('a column that may say nothing', () => {
  type Row = readonly [title: string, day: string]
  const columns = [
    { key: 'name', title: 'Titre', role: 'main' as const, cell: ([title]: Row) => title },
    { key: 'start', title: 'Début', order: 'start_date', sparse: true as const, cell: ([, day]: Row) => day },
  ]

  it.each([
    ['goes where no row in sight fills it', '', ['', ''], false],
    ['stands where one does', '', ['', '01/02/2026'], true],
    ['stands where the list is sorted by it', '?sort=start_date:asc', ['', ''], true],
    ['does not come to go again while its rows are on their way', '', undefined, false],
  ])('%s', (_, search, days, isThere) => {
    openList(search, (address) => (
      <ResourceTable
        label="Prêts"
        columns={columns}
        rows={days?.map((day, at): Row => [`Livre ${at}`, day])}
        rowKey={([title]) => title}
        address={address}
        empty="Aucun prêt."
      />
    ))
    expect(screen.getByRole('columnheader', { name: 'Titre' })).toBeVisible()
    expect(screen.queryAllByRole('columnheader', { name: 'Début' })).toHaveLength(isThere ? 1 : 0)
  })
})

describe('the address of a list', () => {
  it('leaves out what the list would refuse', () => {
    const search = new URLSearchParams({
      'status|in': 'foo,finished',
      'islate|eq': '2',
      'start_date|gte': '2026-02-30',
      'beneficiary|eq': 'alice',
      'referencesearchname|like': 'Zola',
      'category|in': '1,2',
      limit: '1000',
      page: '-1',
    })
    const page = openList(`?${search.toString()}`)
    expect(page.list).toMatchObject({ page: 1, limit: 25 })
    expect(page.list.filters).toEqual([
      { field: 'status', operator: 'in', value: ['in_progress'] },
      { field: 'referencesearchname', operator: 'like', value: 'Zola' },
      { field: 'category', operator: 'in', value: ['1', '2'] },
    ])
  })

  it('keeps a filter that was switched off', () => {
    expect(openList('?status|in=&limit=50').list).toMatchObject({ limit: 50, filters: [] })
  })
})

describe('the description of a filter', () => {
  it('is saved under the name of its field, whatever it asks', () => {
    const filters = [
      search('referencesearchname|like', 'Référence'),
      among('category|in', 'Catégories', []),
      days('start_date', 'Début'),
      days('end_date', 'Retour prévu', 'until'),
      days('date', 'Date', 'one'),
    ]
    expect(filters.map((filter) => [filter.code, ...namesOf(filter)])).toEqual([
      ['referencesearchname', 'referencesearchname|like'],
      ['category', 'category|in'],
      ['start_date', 'start_date|gte', 'start_date|lte'],
      ['end_date', 'end_date|lte'],
      ['date', 'date|eq'],
    ])
  })
})

describe('a text filter', () => {
  const field = (address: ListAddress) => (
    <SearchFilter
      label="Référence"
      value={address.values['referencesearchname|like'] ?? ''}
      onChange={(text) => address.setFilters({ 'referencesearchname|like': text })}
    />
  )

  function Drawer({ address }: { address: ListAddress }) {
    const [isOpen, setOpen] = useState(true)
    return isOpen ? (
      <>
        {field(address)}
        {/* Pressed by a finger, it does not take the focus from the field. */}
        <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => setOpen(false)}>
          Voir les résultats
        </button>
      </>
    ) : null
  }

  it('is applied when its drawer closes at once', async () => {
    const page = openList('', (address) => <Drawer address={address} />)
    await userEvent.type(screen.getByLabelText('Référence'), 'Zola')
    await userEvent.click(screen.getByRole('button', { name: 'Voir les résultats' }))
    expect(screen.queryByLabelText('Référence')).toBeNull()
    await waitFor(() => expect(page.search).toContain('referencesearchname|like=Zola'))
  })

  it('follows nobody to another screen', async () => {
    const page = openList('', field)
    await userEvent.type(screen.getByLabelText('Référence'), 'Zola')
    await act(() => page.router.navigate('/other'))
    expect(screen.getByRole('heading', { name: 'Autre' })).toBeVisible()
    expect(page.router.state.location).toMatchObject({ pathname: '/other', search: '' })
  })

  it('keeps what is typed while the address changes', async () => {
    const page = openList('', field)
    const input = screen.getByLabelText('Référence')
    await userEvent.type(input, 'Zo')
    await waitFor(() => expect(page.search).toContain('like=Zo'))
    await userEvent.type(input, 'l')
    await act(() => page.router.navigate('/list?referencesearchname|like=Z'))
    expect(input).toHaveValue('Zol')
    await userEvent.tab()
    await waitFor(() => expect(page.search).toContain('like=Zol'))
  })
})
