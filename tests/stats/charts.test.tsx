import { MantineProvider } from '@mantine/core'
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { Bars } from '../../src/client/stats/bars.tsx'
import { gathered, untilToday } from '../../src/client/stats/day-bars.tsx'
import { FiguresTable } from '../../src/client/stats/figures-table.tsx'
import { monthsOf } from '../../src/client/stats/loan-figures.tsx'
import { byId, partRows, slicesOf } from '../../src/client/stats/part-rows.ts'
import { HalfDonut } from '../../src/client/stats/stat-panel.tsx'
import { growthWords, pointsWords, shareWords } from '../../src/client/stats/stat-words.ts'
import { plusDays } from '../../src/domain/calendar-day.ts'

// @vitest-environment happy-dom

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const show = (of: ReactNode) =>
  render(
    <MantineProvider env="test">
      <MemoryRouter>{of}</MemoryRouter>
    </MantineProvider>,
  )
const parts = (...counts: number[]) =>
  counts.map((count, at) => ({ id: at + 1, name: `Part ${at + 1}`, count }))
const february = { start_date: '2026-02-01', end_date: '2026-02-28' }

describe('a figure', () => {
  it.each([
    [{ now: 115, before: 100 }, '15\u00a0% de plus que du 01/02/2026 au 28/02/2026'],
    [{ now: 1, before: 3 }, '67\u00a0% de moins que du 01/02/2026 au 28/02/2026'],
    [{ now: 300, before: 100 }, '200\u00a0% de plus que du 01/02/2026 au 28/02/2026'],
    [{ now: 299, before: 28 }, '× 10,7 (28 du 01/02/2026 au 28/02/2026)'],
    [{ now: 1004, before: 1000 }, '0,4\u00a0% de plus que du 01/02/2026 au 28/02/2026'],
    [{ now: 7, before: 7 }, 'autant que du 01/02/2026 au 28/02/2026'],
    [{ now: 7, before: 0 }, 'rien du 01/02/2026 au 28/02/2026'],
    [{ now: 0, before: 0 }, ''],
  ])('of %o says how it grew: %s', (figure, said) => {
    expect(growthWords(figure, february)).toBe(said)
  })

  it('says in short how it grew, where what it is compared with is said once for several', () => {
    const said = ([now, before]: readonly [number, number]) => growthWords({ now, before }, null)
    expect(
      (
        [
          [115, 100],
          [1, 3],
          [299, 28],
          [7, 7],
          [7, 0],
          [0, 0],
        ] as const
      ).map(said),
    ).toEqual(['15\u00a0% de plus', '67\u00a0% de moins', '× 10,7 (28 avant)', 'autant', 'rien avant', ''])
  })

  it.each([
    [[2, 1], [3, 2], '16,7 points de plus que du 01/02/2026 au 28/02/2026'],
    [[0, 1], [100, 100], '1 point de moins que du 01/02/2026 au 28/02/2026'],
    [[30, 3], [1000, 100], 'autant que du 01/02/2026 au 28/02/2026'],
    [[3, 0], [4, 0], 'rien du 01/02/2026 au 28/02/2026'],
  ] as const)('of %o in %o says by how many points its share grew: %s', (part, whole, said) => {
    const compared = ([now, before]: readonly [number, number]) => ({ now, before })
    expect(pointsWords(compared(part), compared(whole), february)).toBe(said)
  })

  it('is a share with one decimal', () => {
    expect([shareWords(2, 3), shareWords(1, 1), shareWords(0, 0)]).toEqual([
      '66,7\u00a0%',
      '100,0\u00a0%',
      '',
    ])
  })
})

describe('a half-donut', () => {
  it('has half its size as a hole, its parts from the left over the top, and says what it shows', () => {
    show(<HalfDonut label="Par support" slices={slicesOf(parts(3, 1), 'Sans support')} />)
    const donut = screen.getByRole('img', {
      name: 'Par support\u202f: Part 1 75,0\u00a0%, Part 2 25,0\u00a0%',
    })
    const drawn = [...donut.querySelectorAll('path')].map((path) => path.getAttribute('d'))
    expect(drawn).toEqual([
      'M -100.000 0.000 A 100 100 0 0 1 70.711 -70.711 L 35.355 -35.355 A 50 50 0 0 0 -50.000 0.000 Z',
      'M 70.711 -70.711 A 100 100 0 0 1 100.000 -0.000 L 50.000 -0.000 A 50 50 0 0 0 35.355 -35.355 Z',
    ])
    expect([...donut.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(['1', '2'])
  })

  it('gathers what is beyond six parts, whose rows in the table bear its mark', () => {
    const many = parts(9, 8, 7, 6, 5, 4, 3)
    expect(slicesOf(many, '').map(({ mark, count }) => [mark, count])).toEqual([
      ['1', 9],
      ['2', 8],
      ['3', 7],
      ['4', 6],
      ['5', 5],
      ['+', 7],
    ])
    const rows = partRows(many, { total: 42, unnamed: '', isMarked: true })
    expect(rows.map(({ mark }) => mark)).toEqual(['1', '2', '3', '4', '5', '+', '+'])
    expect(slicesOf(parts(2, 1, 1, 1, 1, 1), '')).toHaveLength(6)
  })
})

describe('bars', () => {
  it('say what they show and name both series, each with its own look', () => {
    const { container } = show(
      <Bars
        label="Activité"
        points={[
          { key: 'a', title: '01/03/2026', tick: '01/03' },
          { key: 'b', title: '02/03/2026', tick: '02/03' },
        ]}
        series={[
          { name: 'Sorties', values: [4, 0] },
          { name: 'Retours', values: [2, 1] },
        ]}
      />,
    )
    const chart = screen.getByRole('img', { name: 'Activité' })
    const heights = [...chart.querySelectorAll('g rect[data-series]')].map((bar) =>
      Number(bar.getAttribute('height')),
    )
    expect(heights.map((height) => height / (heights[0] ?? 1))).toEqual([1, 0.5, 0, 0.25])
    expect(chart).toHaveTextContent('01/03/2026 : Sorties 4, Retours 2')
    expect([...container.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      'Sorties',
      'Retours',
    ])
    const looks = [...container.querySelectorAll('li rect')].map((rect) => rect.getAttribute('fill'))
    expect(looks[0]).toBeNull()
    expect(looks[1]).toMatch(/^url\(#/)
  })

  it('that have no room are scrolled to the last of them', async () => {
    class Measured {
      constructor(private readonly told: ResizeObserverCallback) {}
      observe() {
        const contentRect = { width: 300, height: 240 } as DOMRectReadOnly
        this.told([{ contentRect } as ResizeObserverEntry], this)
      }
      unobserve() {}
      disconnect() {}
    }
    vi.stubGlobal('ResizeObserver', Measured)
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(372)
    const barsOf = (count: number) => (
      <MantineProvider env="test">
        <Bars
          label="Activité"
          points={Array.from({ length: count }, (_, at) => ({ key: String(at), title: '', tick: '' }))}
          series={[{ name: 'Sorties', values: [] }]}
        />
      </MantineProvider>
    )
    const { rerender } = render(barsOf(31))
    const chart = await screen.findByRole('region', { name: 'Le graphique, à faire défiler' })
    expect(chart.scrollLeft).toBe(372)
    chart.scrollLeft = 0
    rerender(barsOf(31))
    expect(chart.scrollLeft).toBe(0)
    rerender(barsOf(30))
    expect(chart.scrollLeft).toBe(372)
  })

  it('are of weeks where there are more days than a phone shows', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ day: plusDays('2026-03-05', at), exits: 1, returns: null }))
    expect(gathered(days(45)).points).toHaveLength(45)
    const { points, exits } = gathered(days(46))
    expect(points.slice(0, 2).map(({ title }) => title)).toEqual([
      'Semaine du 02/03/2026',
      'Semaine du 09/03/2026',
    ])
    expect(exits.slice(0, 2)).toEqual([4, 7])
    expect(exits.reduce((sum, count) => sum + count, 0)).toBe(46)
  })

  it('are of no day or month to come, unless something is counted there already', () => {
    const shown = (...counts: number[]) =>
      untilToday(
        counts.map((count, at) => ({ start: plusDays('2026-03-09', at), count })),
        '2026-03-10',
        (span) => span,
      ).length
    expect([shown(3, 0, 0, 0), shown(0, 0, 0), shown(0)]).toEqual([2, 2, 1])
    expect(shown(0, 0, 0, 1, 0)).toBe(4)
    expect(untilToday([{ start: '2026-03-11', count: 0 }], '2026-03-10', (span) => span)).toEqual([])
  })

  it('are of every month of a period, with the days of it that count', () => {
    expect(monthsOf({ start_date: '2025-12-10', end_date: '2026-02-03' })).toEqual([
      { month: '2025-12', start_date: '2025-12-10', end_date: '2025-12-31' },
      { month: '2026-01', start_date: '2026-01-01', end_date: '2026-01-31' },
      { month: '2026-02', start_date: '2026-02-01', end_date: '2026-02-03' },
    ])
  })
})

describe('a table of figures', () => {
  const table = (count: number, isOfTime = false) =>
    show(
      <FiguresTable
        isOfTime={isOfTime}
        label="Par support"
        titles={['Support', 'Prêts', 'Part']}
        rows={partRows(parts(...Array.from({ length: count }, () => 1)), {
          total: count,
          unnamed: 'Sans support',
          linkOf: byId((id) => `/loanings?medium=${id}`),
        })}
      />,
    )

  it('has a row for every figure, which leads to what it counts', () => {
    table(10)
    expect(screen.getAllByRole('row')).toHaveLength(11)
    expect(screen.getByRole('row', { name: 'Part 3 1 10,0\u00a0%' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Part 3' })).toHaveAttribute('href', '/loanings?medium=3')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('shows ten of many, and all when it is asked', () => {
    table(12)
    expect(screen.getAllByRole('row')).toHaveLength(11)
    fireEvent.click(screen.getByRole('button', { name: 'Tout voir (12)' }))
    expect(screen.getAllByRole('row')).toHaveLength(13)
    fireEvent.click(screen.getByRole('button', { name: 'Voir moins' }))
    expect(screen.getAllByRole('row')).toHaveLength(11)
  })

  it('of time shows the last ten of many', () => {
    table(12, true)
    expect(screen.queryByText('Part 2')).toBeNull()
    expect(screen.getAllByRole('rowheader').at(-1)).toHaveTextContent('Part 12')
    fireEvent.click(screen.getByRole('button', { name: 'Tout voir (12)' }))
    expect(screen.getAllByRole('rowheader')[0]).toHaveTextContent('Part 1')
  })

  it('names what has no name, and leads nowhere from there', () => {
    const [row] = partRows([{ id: null, name: null, count: 1 }], {
      total: 1,
      unnamed: 'Sans support',
      linkOf: byId(() => '/nowhere'),
    })
    expect(row).toMatchObject({ name: 'Sans support', to: undefined })
  })
})
