import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { speak } from '../../src/client/page/house-words.ts'
import { inHouseWords } from '../../src/domain/house-words.ts'
import type { Right } from '../../src/domain/rights.ts'
import { type Network, networkTo } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { holdTimers } from '../ui/held-timers.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeApp()
})

// Today is Tuesday 10 March 2026; whoever looks is at Centre, which has the books, unless Annexe is said.

describeServer('the screens of statistics', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings', 'reservations')
    await setParameter(server, 'multisite', '1')
    await sql`update beneficiaries set created_at = '2020-01-15'`.execute(server.db)
  })

  type More = { reader?: number; back?: string; amount?: string }
  const lend = (copy: number, start: string, due: string, { reader = 1, back, amount = '0' }: More = {}) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, amount, lent_at, lent_received_at)
      select ${reader}, c.id, c.site, ${back === undefined ? 'in_progress' : 'finished'}, ${start}, ${due},
        ${back ?? null}, 21, 'DAY', ${amount}, ${start}::date, ${start}::date
      from copies c where c.id = ${copy}`.execute(server.db)
  /** A person who holds these rights alone. */
  const only = async (...rights: Right[]) => {
    await sql`delete from profile_rights where profile = (select profile from users where username = 'lecture')`.execute(
      server.db,
    )
    for (const right of rights)
      await sql`insert into profile_rights (profile, right_code) select profile, ${right} from users where username = 'lecture'`.execute(
        server.db,
      )
    return { as: 'lecture' }
  }
  /** What the page asks of the server, as it asks it. */
  const watched = (opened: { device: { network: Network } }) => {
    const asked: string[] = []
    const network = opened.device.network
    opened.device.network = (request) => {
      const { pathname, search } = new URL(request.url)
      if (/^\/api\/(stats|export)\//.test(pathname)) asked.push(decodeURIComponent(pathname + search))
      return network(request)
    }
    return asked
  }
  /** Nothing is told of changes, at which all that is shown would be asked for again. */
  const withoutStream = (): Network => {
    const network = networkTo(server)
    return (request) =>
      new URL(request.url).pathname === '/api/events' ? new Promise(() => undefined) : network(request)
  }
  /** The names of the files that the page saves from now on. */
  const savedFiles = () => {
    const saved: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:stats')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    return saved
  }
  const figure = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).parentElement!
  const rowsOf = async (name: string) =>
    within(await screen.findByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent))
  const pick = async (field: string, choice: string) => {
    await userEvent.click(await screen.findByRole('combobox', { name: field }))
    await userEvent.click(await screen.findByRole('option', { name: choice }))
  }

  it('are offered each with its right, from a menu that any of them opens', async () => {
    const places = async () =>
      within(await screen.findByRole('region', { name: 'Rapports' }))
        .queryAllByRole('link')
        .map((link) => link.getAttribute('href'))
    await openApp(server, '/statistics')
    await waitFor(async () =>
      expect(await places()).toEqual(
        ['activity', 'references', 'beneficiaries', 'loanings', 'active', 'yearly'].map(
          (name) => `/statistics/${name}`,
        ),
      ),
    )
    await press('Suivi')
    expect(await screen.findByRole('menuitem', { name: 'Statistiques' })).toHaveAttribute(
      'href',
      '/statistics',
    )
    await closeApp()
    await openApp(server, '/statistics', await only('STATISTIC_RETURNSDAY'))
    await waitFor(async () => expect(await places()).toEqual(['/statistics/activity', '/statistics/active']))
    await closeApp()
    const page = await openApp(server, '/statistics', await only('STATISTIC_LOANINGS_BENEFICIARY'))
    expect(await screen.findByText('Votre profil n’ouvre aucune de ces statistiques.')).toBeVisible()
    await page.router.navigate('/statistics/references')
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Références' })).toBeNull()
  })

  it('open on the figures of this month, as far as each is opened, with its days and what they count', async () => {
    await lend(1, '2026-02-09', '2026-03-02', { back: '2026-03-05' })
    await lend(2, '2026-03-05', '2026-03-26')
    await lend(3, '2026-03-05', '2026-03-09')
    const told = () =>
      [...document.querySelectorAll('dl dt')].map(({ parentElement }) => parentElement?.textContent)
    await openApp(server, '/statistics')
    await figure('Sorties')
    expect(told()).toEqual([
      'Sorties2, 100\u00a0% de plusVoir ces prêts',
      'Retours1, rien avantVoir ces retours',
      'En retard aujourd’hui1, 50,0\u00a0% de ce qui est dehorsVoir les retards',
      'Lecteurs qui ont emprunté1, autantVoir ces lecteurs',
      'Nouveaux inscrits0',
    ])
    expect(
      screen.getByText(
        'Chiffres du site Centre, du 01/03/2026 au 31/03/2026, comparés à ceux du 01/02/2026 au 10/02/2026.',
      ),
    ).toBeVisible()
    const month = within(screen.getByRole('region', { name: 'Ce mois, par jour' }))
    expect(month.getByRole('img', { name: /\s: 2 sorties, 1 retour$/ })).toBeInTheDocument()
    await userEvent.click(screen.getByRole('link', { name: 'Voir ces lecteurs' }))
    expect(
      await screen.findByRole('dialog', { name: 'Lecteurs qui ont emprunté · 1 lecteur' }),
    ).toBeInTheDocument()
    await closeApp()

    // Without exits, the same loans are told by those who may know of loans; who may know of the catalogue alone has its reports.
    await openApp(server, '/statistics', await only('STATISTIC_LOANINGS'))
    await figure('Prêts')
    expect(told()).toEqual(['Prêts2, 100\u00a0% de plus', expect.stringContaining('En retard aujourd’hui1')])
    expect(screen.queryByRole('region', { name: 'Ce mois, par jour' })).toBeNull()
    await closeApp()
    await openApp(server, '/statistics', await only('STATISTIC_REFERENCE'))
    expect(await screen.findByRole('link', { name: /^Références/ })).toBeVisible()
    expect(document.querySelector('dl')).toBeNull()
  })

  it('open on what the server has told, and say what it has not', async () => {
    await lend(2, '2026-03-05', '2026-03-26')
    const network = networkTo(server)
    let fails = true
    await openApp(server, '/statistics', {
      network: (request) =>
        fails && request.url.includes('/api/stats/activity')
          ? Promise.resolve(new Response('{}', { status: 500 }))
          : network(request),
    })
    await figure('Lecteurs qui ont emprunté')
    expect(screen.queryByText('Sorties')).toBeNull()
    fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await figure('Sorties')).toHaveTextContent('Sorties1')
    expect(screen.queryByRole('button', { name: 'Réessayer' })).toBeNull()
  })

  it('show exits and returns of each day of the current month, beside the month before', async () => {
    await lend(1, '2026-02-09', '2026-03-02', { back: '2026-03-05' })
    await lend(2, '2026-03-05', '2026-03-26')
    await lend(3, '2026-03-05', '2026-03-26')
    await openApp(server, '/statistics/activity')
    expect(await figure('Sorties')).toHaveTextContent(
      'Sorties2, 100 % de plus que du 01/02/2026 au 10/02/2026Voir ces prêts',
    )
    expect(await figure('Retours')).toHaveTextContent('Retours1, rien du 01/02/2026 au 10/02/2026')
    expect(
      screen.getByRole('img', { name: 'Activité du 01/03/2026 au 31/03/2026\u202f: 2 sorties, 1 retour' }),
    ).toBeInTheDocument()
    expect((await rowsOf('Par jour'))[4]).toEqual(['05/03/2026', '2', '1'])
    // Days to come are left out, except those of a loan that begins then.
    const days = async () => (await rowsOf('Par jour')).map(([day]) => day)
    expect([(await days()).length, (await days()).at(-1)]).toEqual([10, '10/03/2026'])
    expect(screen.getByText('Chiffres du site Centre.')).toBeVisible()
    const leadsTo = decodeURIComponent(
      screen.getByRole<HTMLAnchorElement>('link', { name: 'Voir ces retours' }).href,
    )
    expect(leadsTo).toMatch(
      /\/loanings\?status\|in=finished&return_date\|gte=2026-03-01&return_date\|lte=2026-03-31$/,
    )
  })

  it('show the one series that a person may see, and lead to no list that is closed', async () => {
    await lend(2, '2026-03-05', '2026-03-26')
    await openApp(server, '/statistics/activity', await only('STATISTIC_EXITSDAY'))
    await figure('Sorties')
    expect(screen.queryByText('Retours')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Voir ces prêts' })).toBeNull()
    expect((await rowsOf('Par jour'))[4]).toEqual(['05/03/2026', '1'])
  })

  it('keep the period in the address, by its fields or by one press', async () => {
    const page = await openApp(server, '/statistics/activity')
    await figure('Sorties')
    await press('Mois dernier')
    await waitFor(() =>
      expect(page.address).toBe('/statistics/activity?start_date=2026-02-01&end_date=2026-02-28'),
    )
    await press('Cette année')
    await waitFor(() =>
      expect(page.address).toBe('/statistics/activity?start_date=2026-01-01&end_date=2026-12-31'),
    )
    await press('Année dernière')
    await waitFor(() =>
      expect(page.address).toBe('/statistics/activity?start_date=2025-01-01&end_date=2025-12-31'),
    )
    await press('Ce mois')
    await waitFor(() =>
      expect(page.address).toBe('/statistics/activity?start_date=2026-03-01&end_date=2026-03-31'),
    )
    fireEvent.change(screen.getByRole('textbox', { name: 'Au' }), { target: { value: '15/03/2026' } })
    await waitFor(() =>
      expect(page.address).toBe('/statistics/activity?start_date=2026-03-01&end_date=2026-03-15'),
    )
    expect(await screen.findByText('Aucun prêt dans cette période.')).toBeVisible()
    // Nothing is compared with nothing.
    await waitFor(async () => expect(await figure('Sorties')).not.toHaveTextContent(/autant|rien/))
  })

  it('say at its field that a period is turned round, and ask nothing', async () => {
    const page = await openApp(server, '/settings', { network: withoutStream() })
    const asked = watched(page)
    await page.router.navigate('/statistics/loanings?start_date=2026-03-10&end_date=2026-03-09')
    expect(await screen.findByRole('textbox', { name: 'Au' })).toHaveAccessibleDescription(
      'La date de fin ne doit pas précéder la date de début.',
    )
    expect(screen.getByText('Corrigez la période pour en voir les chiffres.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Excel' })).toBeDisabled()
    expect(asked).toEqual([])
    await press('Ce mois')
    await figure('Montant')
    expect(asked).toHaveLength(1)
  })

  it('show the catalogue by category and medium as half-donuts, and the titles lent most', async () => {
    await lend(11, '2026-03-02', '2026-03-23', { back: '2026-03-03' })
    await lend(11, '2026-03-04', '2026-03-25')
    await lend(1, '2026-03-04', '2026-03-25')
    const page = await openApp(server, '/statistics/references')
    const asked = watched(page)
    const site = await screen.findByRole('combobox', { name: 'Site' })
    await waitFor(() => expect(site).toHaveValue('Centre'))
    expect(await rowsOf('Par support')).toEqual([['1Livre', '10', '100,0\u00a0%']])
    expect(screen.getByRole('link', { name: 'Livre' })).toHaveAttribute(
      'href',
      '/references?medium%7Cin=1&site%7Cin=1',
    )
    await userEvent.click(site)
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Tous les sites',
      'Annexe',
      'Centre',
    ])
    await userEvent.click(screen.getByRole('option', { name: 'Tous les sites' }))
    await waitFor(async () =>
      expect(await rowsOf('Par support')).toEqual([
        ['1Livre', '10', '66,7\u00a0%'],
        ['2DVD', '5', '33,3\u00a0%'],
      ]),
    )
    await waitFor(() => expect(page.address).toBe('/statistics/references?site=0'))
    expect(
      screen.getByRole('img', { name: 'Par catégorie\u202f: Roman 66,7\u00a0%, Film 33,3\u00a0%' }),
    ).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'DVD' })).toHaveAttribute('href', '/references?medium%7Cin=2')
    expect(await rowsOf('Les plus prêtées du 01/03/2026 au 31/03/2026')).toEqual([
      ['Film numéro 1', '2'],
      ['Livre numéro 1', '1'],
    ])
    expect(screen.getByRole('link', { name: 'Film numéro 1' })).toHaveAttribute('href', '/references/view/11')
    await userEvent.click(screen.getByRole('combobox', { name: 'Catégories' }))
    await userEvent.paste('fil')
    await userEvent.click(await screen.findByRole('option', { name: 'Film' }))
    await pick('Support', 'DVD')
    await waitFor(() => expect(page.address).toBe('/statistics/references?site=0&category=2&medium=2'))
    await waitFor(async () => expect(await rowsOf('Par support')).toEqual([['1DVD', '5', '100,0\u00a0%']]))
    await press('Réinitialiser les filtres')
    await waitFor(() => expect(page.address).toBe('/statistics/references'))
    expect(screen.getByRole('button', { name: 'Réinitialiser les filtres' })).toBeDisabled()
    await waitFor(async () => expect(await rowsOf('Par support')).toEqual([['1Livre', '10', '100,0\u00a0%']]))
    const before = asked.length
    await press('Actualiser')
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
  })

  it('open the references of one site, which the list says and gives up at a press', async () => {
    const page = await openApp(server, '/statistics/references?site=2')
    expect(await figure('Références')).toHaveTextContent('Références5')
    await userEvent.click(screen.getByRole('link', { name: 'Voir la liste' }))
    expect(await screen.findByText('5 références')).toBeVisible()
    await press('Enlever le filtre Site\u202f: Annexe')
    await waitFor(() => expect(page.address).toBe('/references'))
  })

  it('give the references as a workbook, of the same filters', async () => {
    const saved = savedFiles()
    const page = await openApp(server, '/statistics/references?category=2&site=0')
    const asked = watched(page)
    await press('Excel')
    await waitFor(() => expect(saved).toEqual(['stats-refs-20260310-100000.xlsx']))
    expect(asked).toContain(
      '/api/export/stats_references?start_date=2026-03-01&end_date=2026-03-31&category=2&site=0',
    )
  })

  it('ask for readers once their days are still for three seconds, and say so meanwhile', async () => {
    await lend(1, '2026-03-04', '2026-03-25', { reader: 2 })
    await lend(2, '2026-02-04', '2026-02-25')
    const page = await openApp(server, '/statistics/beneficiaries', { network: withoutStream() })
    expect(await figure('Lecteurs qui ont emprunté')).toHaveTextContent(
      '1, autant que du 01/02/2026 au 10/02/2026',
    )
    expect(await rowsOf('Par contrat')).toEqual([['1CDD', '1', '100,0\u00a0%']])
    const asked = watched(page)
    const timers = holdTimers(3000)
    await press('Cette année')
    await press('Mois dernier')
    expect(await screen.findByText('Les chiffres suivent dans un instant.')).toBeVisible()
    expect(asked).toEqual([])
    // The first change’s was given up.
    expect(timers.lengths).toEqual([3000])
    timers.letGo()
    await waitFor(async () => expect(await rowsOf('Par contrat')).toEqual([['1CDI', '1', '100,0\u00a0%']]))
    expect(asked).toEqual(['/api/stats/beneficiaries?start_date=2026-02-01&end_date=2026-02-28'])
    expect(screen.getAllByText(/^Chiffres/).map(({ textContent }) => textContent)).toEqual([
      'Chiffres du site Centre, du 01/02/2026 au 28/02/2026.',
    ])
  })

  it('tell of readers by contract, years and site, and name them to whoever may know', async () => {
    await lend(1, '2026-03-04', '2026-03-25', { reader: 2 })
    await lend(2, '2026-03-04', '2026-03-25')
    await lend(3, '2026-03-05', '2026-03-26')
    await sql`update beneficiaries set created_at = '2026-03-04 10:00Z' where lastname = 'Dupont'`.execute(
      server.db,
    )
    const page = await openApp(server, '/statistics/beneficiaries')
    expect(await rowsOf('Qui emprunte le plus')).toEqual([
      ['Alice Martin (M1)', '2'],
      ['Éric Dupont (M2)', '1'],
    ])
    expect(screen.getByRole('link', { name: 'Alice Martin (M1)' })).toHaveAttribute(
      'href',
      '/beneficiaries/view/1',
    )
    expect(await figure('Nouveaux inscrits')).toHaveTextContent('Nouveaux inscrits1')
    await userEvent.click(screen.getByRole('link', { name: 'Voir la liste' }))
    const readers = await screen.findByRole('table', { name: 'Lecteurs' })
    expect((await within(readers).findAllByRole('link')).map(({ textContent }) => textContent)).toEqual([
      'Dupont',
    ])
    await page.router.navigate('/statistics/beneficiaries')
    expect(await rowsOf('Par site')).toEqual([['Centre', '2', '100,0\u00a0%']])
    expect((await rowsOf('Par ancienneté d’inscription'))[3]).toEqual(['De 5 à 10 ans', '1', '50,0\u00a0%'])
    const opens = async (link: string, title: string, names: readonly string[]) => {
      await userEvent.click(await screen.findByRole('link', { name: link }))
      const sheet = await screen.findByRole('dialog', { name: title })
      const links = await within(sheet).findAllByRole('link')
      expect(links.map(({ textContent }) => textContent)).toEqual(names)
      await page.router.navigate(-1)
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    const all = 'Lecteurs qui ont emprunté'
    await opens('Voir ces lecteurs', `${all} · 2 lecteurs`, ['Éric Dupont (M2)', 'Alice Martin (M1)'])
    await opens('CDI', `${all} · CDI · 1 lecteur`, ['Alice Martin (M1)'])
    const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(leadsTo('De 5 à 10 ans')).toBe('/statistics/beneficiaries?rows=seniority&part=10')
    expect(leadsTo('Centre')).toBe('/statistics/beneficiaries?rows=site&part=1')
    await closeApp()
    await setParameter(server, 'multisite', '0')
    await openApp(server, '/statistics/beneficiaries', await only('STATISTIC_BENEFICIARIES'))
    await rowsOf('Par contrat')
    expect(screen.queryByRole('table', { name: 'Qui emprunte le plus' })).toBeNull()
    expect(screen.queryByRole('table', { name: 'Par site' })).toBeNull()
    expect(screen.queryByText(/Martin/)).toBeNull()
    expect(screen.queryByRole('link', { name: /CDI|Voir ces lecteurs/ })).toBeNull()
  })

  it('of loans show months, media and categories, what was late and what it brought, and their list', async () => {
    await lend(1, '2026-01-05', '2026-01-26', { back: '2026-02-02', amount: '1.50' })
    await lend(2, '2026-03-02', '2026-03-23', { back: '2026-03-03', amount: '0.25' })
    await lend(3, '2026-03-01', '2026-03-09', { amount: '2.00' })
    await lend(4, '2025-01-05', '2025-01-26', { back: '2025-02-02', amount: '0.50' })
    await lend(4, '2025-03-10', '2025-03-31', { back: '2025-03-12' })
    const page = await openApp(server, '/statistics/loanings?start_date=2026-01-01&end_date=2026-12-31')
    expect(await figure('Prêts')).toHaveTextContent('3, 50 % de plus que du 01/01/2025 au 10/03/2025')
    expect(await figure('En retard à ce jour')).toHaveTextContent(
      '66,7 %, 2 prêts sur 3 · 16,7 points de plus que du 01/01/2025 au 10/03/2025Voir les retards',
    )
    expect(await figure('Montant')).toHaveTextContent('3,75 €, × 7,5 (0,50 € du 01/01/2025 au 10/03/2025)')
    const these =
      '/loanings?status|in=in_progress,finished&start_date|gte=2026-01-01&start_date|lte=2026-12-31'
    const leadsTo = (name: string) =>
      decodeURIComponent(screen.getByRole('link', { name }).getAttribute('href') ?? '')
    expect(leadsTo('Voir la liste')).toBe(these)
    expect(leadsTo('Voir les montants')).toBe(`${these}&sort=amount:desc`)
    expect(leadsTo('Centre')).toBe(`${these}&site|in=1`)
    expect(await rowsOf('Par mois')).toEqual([
      ['janvier 2026', '1', '33,3\u00a0%'],
      ['février 2026', '0', '0,0\u00a0%'],
      ['mars 2026', '2', '66,7\u00a0%'],
    ])
    expect(await rowsOf('Par support')).toEqual([['1Livre', '3', '100,0\u00a0%']])
    expect(await rowsOf('Par catégorie')).toEqual([['1Roman', '3', '100,0\u00a0%']])
    await pick('Retard', 'En retard')
    await pick('État', 'Terminés')
    await waitFor(() => expect(page.address).toContain('&delay=late&progress=finished'))
    await waitFor(async () => expect(await figure('Prêts')).toHaveTextContent('Prêts1,'))
    await userEvent.click(screen.getByRole('link', { name: 'Voir ces prêts' }))
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Livre numéro 3' })).toBeNull()
    expect(decodeURIComponent(page.address)).toBe(
      '/loanings?status|in=finished&start_date|gte=2026-01-01&start_date|lte=2026-12-31&islate|eq=1',
    )
  })

  it('of loans give the same loans as a workbook', async () => {
    await lend(3, '2026-03-01', '2026-03-09')
    const saved = savedFiles()
    const page = await openApp(server, '/statistics/loanings?delay=notlate&progress=cancelled')
    expect(await screen.findByRole('combobox', { name: 'État' })).toHaveValue('Annulés')
    const asked = watched(page)
    await press('Excel')
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatch(/\.xlsx$/)
    const path = asked.find((one) => one.startsWith('/api/export'))
    for (const filter of ['[status|in]=cancelled', '[start_date|gte]=2026-03-01', '[islate|eq]=0'])
      expect(path).toContain(`filters${filter}`)
  })

  it('of this moment are asked for at every visit, and lead to what is out and what is late', async () => {
    await lend(1, '2026-02-10', '2026-03-03')
    await lend(2, '2026-03-04', '2026-03-25')
    const page = await openApp(server, '/statistics/active')
    const asked = watched(page)
    expect(await figure('Exemplaires dehors')).toHaveTextContent('2')
    expect(await figure('En retard')).toHaveTextContent('1, 50,0 % de ce qui est dehors')
    expect((await rowsOf('Par retard')).slice(0, 2)).toEqual([
      ['À l’heure', '1', '50,0\u00a0%'],
      ['1 à 7 jours', '1', '50,0\u00a0%'],
    ])
    expect(await rowsOf('Par site')).toEqual([['Centre', '2', '100,0\u00a0%']])
    await lend(3, '2026-03-05', '2026-03-26')
    await press('Actualiser')
    await waitFor(async () => expect(await figure('Exemplaires dehors')).toHaveTextContent('3'))
    const times = asked.length
    await userEvent.click(screen.getByRole('link', { name: 'Voir les retards' }))
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Livre numéro 2' })).toBeNull()
    await page.router.navigate('/statistics/active')
    await waitFor(() => expect(asked).toHaveLength(times + 1))
  })

  it('of this moment open the loans of each band of lateness, and of each site', async () => {
    // Late by 7, 8, 90 and 91 days, and not at all.
    const due = ['2026-03-03', '2026-03-02', '2025-12-10', '2025-12-09', '2026-03-10']
    for (const [at, day] of due.entries()) await lend(at + 1, '2025-11-01', day)
    const { client } = await openApp(server, '/statistics/active')
    /** What the list behind a link asks the server for. */
    const opened = async (name: string) => {
      const { search } = new URL((await screen.findByRole<HTMLAnchorElement>('link', { name })).href)
      const filters = [...new URLSearchParams(search)].map(([filter, value]) => [`filters[${filter}]`, value])
      const { body } = await client.get(`/api/loanings?${new URLSearchParams(filters)}`)
      return body['hydra:member'].map(({ copy }: { copy: number }) => copy)
    }
    expect(await opened('1 à 7 jours')).toEqual([1])
    expect(await opened('8 à 30 jours')).toEqual([2])
    expect(await opened('31 à 90 jours')).toEqual([3])
    expect(await opened('Plus de 90 jours')).toEqual([4])
    expect(await opened('À l’heure')).toEqual([5])
    expect(await screen.findByRole('link', { name: 'Centre' })).toHaveAttribute(
      'href',
      '/loanings?status%7Cin=in_progress&site%7Cin=1',
    )
  })

  it('say of when they are, where a copy of the database that is behind gave them', async () => {
    const page = await openApp(server, '/settings')
    const network = page.device.network
    let behindMs = 42_000
    page.device.network = async (request) => {
      const answer = await network(request)
      if (!request.url.includes('/api/stats/')) return answer
      answer.headers.set('X-State-At', new Date(server.now.getTime() - behindMs).toISOString())
      answer.headers.set('Date', server.now.toUTCString())
      return answer
    }
    await page.router.navigate('/statistics/active')
    // Ten o’clock in Paris, nine in Greenwich.
    expect(await screen.findByText('Chiffres de 9 h 59')).toBeVisible()
    behindMs = 4000
    await press('Actualiser')
    await waitFor(() => expect(screen.queryByText(/^Chiffres de \d/)).toBeNull())
    behindMs = 120_000
    await page.router.navigate('/statistics/yearly')
    expect(await screen.findByText('Chiffres de 9 h 58')).toBeVisible()
  })

  it('of a period are kept five minutes, whatever is lent meanwhile', async () => {
    const page = await openApp(server, '/statistics/loanings', { network: withoutStream() })
    await figure('Prêts')
    const asked = watched(page)
    const comeBackAfter = async (minutes: number) => {
      vi.setSystemTime(server.now.getTime() + minutes * 60_000)
      await page.router.navigate('/settings')
      await screen.findByRole('heading', { name: 'Réglages' })
      await page.router.navigate('/statistics/loanings')
      await figure('Prêts')
    }
    await comeBackAfter(4.9)
    expect(asked).toEqual([])
    await comeBackAfter(5.1)
    await waitFor(() => expect(asked).toHaveLength(1))
  })

  it('offer to try again when the server does not answer', async () => {
    const page = await openApp(server, '/settings')
    const network = page.device.network
    page.device.network = (request) =>
      request.url.includes('/api/stats/')
        ? Promise.resolve(new Response('{}', { status: 500 }))
        : network(request)
    await page.router.navigate('/statistics/active')
    const again = await screen.findByRole('button', { name: 'Réessayer' })
    page.device.network = network
    await userEvent.click(again)
    expect(await screen.findByText('Rien n’est dehors en ce moment.')).toBeVisible()
  })

  it('tell the yearly report, each figure opening what it counts, and lead back', async () => {
    await sql`update "references" set audience = case when id <= 6 then 'adult' end`.execute(server.db)
    await sql`update copies set created_at = '2024-05-10'`.execute(server.db)
    await lend(1, '2025-03-02', '2025-03-23', { back: '2025-03-20' })
    await lend(7, '2025-03-03', '2025-03-24', { back: '2025-03-20' })
    await sql`update loanings set audience = 'adult' where copy = 1`.execute(server.db)
    const page = await openApp(server, '/statistics')
    await userEvent.click(await screen.findByRole('link', { name: /Rapport annuel/ }))
    expect(await rowsOf('Prêts')).toEqual([
      ['Livre', '1', '0', '1', '2'],
      ['Total', '1', '0', '1', '2'],
    ])
    expect(screen.getByText(/4 exemplaires n’ont pas de public/)).toBeTruthy()
    expect(
      screen.getByText(/compté comme aujourd’hui\s: un exemplaire au site où il est maintenant/),
    ).toBeVisible()
    expect(screen.getByText(/(^| · )Centre$/, { selector: 'p' })).toBeVisible()
    const loans = within(screen.getByRole('table', { name: 'Prêts' }))
    await userEvent.click(loans.getAllByRole('link', { name: '1' })[0]!)
    const sheet = await screen.findByRole('dialog', { name: 'Prêts · Livre · Adulte · 1 prêt' })
    expect(await within(sheet).findByRole('link', { name: 'Livre numéro 1' })).toBeTruthy()
    expect(within(sheet).queryByText('Livre numéro 7')).toBeNull()
    expect(sheet.closest('.mantine-Drawer-root')?.getAttribute('style')).toMatch(
      /--drawer-justify:\s*flex-end/,
    )
    await page.router.navigate(-1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const opens = async (table: string, name: string) => {
      await page.router.navigate(`/statistics/yearly?table=${table}`)
      expect(await screen.findByRole('dialog', { name })).toBeTruthy()
    }
    await opens('collections', 'Collections · 10 exemplaires')
    await opens('borrowers_by_age', 'Emprunteurs actifs, par âge · 1 lecteur')
    await opens('withdrawals', 'Éliminations · Aucun exemplaire')
    expect(screen.getByText('Aucun exemplaire dans ce chiffre.')).toBeVisible()
    speak(inHouseWords([{ said: 'lecteur', here: 'adhérent', gender: 'm' }]))
    await opens('borrowers_by_kind', 'Personnes et collectivités · 1 adhérent')
    speak(inHouseWords([]))
    await page.router.navigate('/statistics/yearly')
    await userEvent.click(screen.getByRole('combobox', { name: 'Année' }))
    await userEvent.click(await screen.findByRole('option', { name: '2024' }))
    await waitFor(async () => expect(await rowsOf('Prêts')).toEqual([['Total', '0', '0', '0']]))
  })
})
