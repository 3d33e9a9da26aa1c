import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const titles = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)

type Page = Awaited<ReturnType<typeof openApp>>

const write = (name: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } })

/** What is asked of a call, in turn. */
function watch(page: Page, path: string): { search: URLSearchParams; at: number }[] {
  const asked: { search: URLSearchParams; at: number }[] = []
  const { network } = page.device
  page.device.network = (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === path) asked.push({ search: searchParams, at: performance.now() })
    return network(request)
  }
  return asked
}

describeServer('the bar-code screen', (server) => {
  beforeEach(async () => {
    localStorage.removeItem('comptoir.labels')
    await sql`delete from copies where bar_code like 'TROP-%'`.execute(server.db)
    await sql`delete from label_sheets`.execute(server.db)
    await sql`delete from label_basket`.execute(server.db)
    await sql`update "references" set created_at = '2030-03-01T10:00:00Z' where name = 'Livre numéro 7'`.execute(
      server.db,
    )
  })

  it('lists what has copies, the last added first, and asks a second after what is typed', async () => {
    await sql`insert into "references" (name, created_at) values ('Sans exemplaire', '2031-01-01')`.execute(
      server.db,
    )
    const page = await openApp(server, '/bar_codes')
    await screen.findByText('10 références')
    await waitFor(() => expect(titles()).toHaveLength(10))
    expect(titles()[0]).toBe('Livre numéro 7')
    const asked = watch(page, '/api/bar_codes')
    const typedAt = performance.now()
    await userEvent.type(screen.getByLabelText('Titre, auteur ou code'), 'o 3')
    await waitFor(() => expect(titles()).toEqual(['Livre numéro 3']), { timeout: 5000 })
    const typed = asked.filter(({ search }) => search.has('filters[searchname|like]'))
    expect(typed).toHaveLength(1)
    // A slow machine may ask later, never sooner.
    expect(typed[0]!.at - typedAt).toBeGreaterThanOrEqual(1000)
  })

  it('prints one title, the ticked ones, or all that the filters let through', async () => {
    const page = await openApp(server, '/bar_codes?searchname%7Clike=num%C3%A9ro%201')
    await waitFor(() => expect(titles()).toHaveLength(2))
    await userEvent.click(screen.getByRole('link', { name: 'Imprimer tout' }))
    expect(await screen.findByText('2 étiquettes, 1 feuille')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/bar_codes/print?searchname%7Clike=num%C3%A9ro%201'))
    await page.router.navigate(-1)
    await waitFor(() => expect(titles()).toHaveLength(2))
    const [first] = await screen.findAllByRole('button', {
      name: /^Imprimer les étiquettes\s: Livre numéro 1$/,
    })
    await userEvent.click(first!)
    expect(await screen.findByText('1 étiquette, 1 feuille')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/bar_codes/print?ids=1'))
    expect(await screen.findByRole('link', { name: 'Ouvrir l’aperçu dans un onglet' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^blob:/),
    )
    expect(await button('Télécharger')).toBeEnabled()
  })

  it('prints again what is chosen: another sheet, from another label, several of each, other lines', async () => {
    const page = await openApp(server, '/bar_codes/print?ids=1,2')
    await screen.findByText('2 étiquettes, 1 feuille')
    const asked = watch(page, '/api/export/bar_codes')
    await userEvent.click(screen.getByRole('combobox', { name: 'Planche ou rouleau' }))
    await userEvent.click(await screen.findByRole('option', { name: /Avery L7651/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Bibliothèque' }))
    write(/^Première étiquette/, '64')
    write(/^De chacune/, '2')
    expect(await screen.findByText('4 étiquettes, 2 feuilles')).toBeVisible()
    await waitFor(() =>
      expect(Object.fromEntries(asked.at(-1)?.search ?? [])).toMatchObject({
        ids: '1,2',
        sheet: 'L7651',
        first: '64',
        each: '2',
        kind: 'bar_code',
        show: 'title,call_number',
      }),
    )
    // This device goes on with them.
    await page.router.navigate('/bar_codes')
    await screen.findByRole('heading', { name: 'Codes-barres', level: 1 })
    await page.router.navigate('/bar_codes/print?ids=1')
    expect(await screen.findByRole('combobox', { name: 'Planche ou rouleau' })).toHaveValue(
      'Avery L7651, 65 étiquettes de 38,1 × 21,2 mm',
    )
    localStorage.removeItem('comptoir.labels')
  })

  it('prints shelf marks with the code that is chosen, and both labels of a copy, as this device did last', async () => {
    const page = await openApp(server, '/bar_codes/print?ids=1,2')
    await screen.findByText('2 étiquettes, 1 feuille')
    const asked = watch(page, '/api/export/bar_codes')
    const choose = async (of: string, name: string | RegExp) => {
      await userEvent.click(screen.getByRole('combobox', { name: of }))
      await userEvent.click(await screen.findByRole('option', { name }))
    }
    const last = async (expected: Record<string, string>) => {
      await waitFor(() => expect(Object.fromEntries(asked.at(-1)?.search ?? [])).toMatchObject(expected))
      return Object.fromEntries(asked.at(-1)?.search ?? [])
    }
    expect(screen.queryByRole('combobox', { name: 'Code sur la cote' })).toBeNull()
    await choose('Étiquette', 'Cote, pour le dos')
    expect(await last({ kind: 'spine', code: 'data_matrix', side: '9' })).not.toHaveProperty('show')
    await choose('Côté du code', /^12\smm$/)
    await last({ kind: 'spine', code: 'data_matrix', side: '12' })
    await choose('Code sur la cote', 'Code 128 le long du dos')
    expect(await last({ kind: 'spine', code: 'code_128' })).not.toHaveProperty('side')
    expect(screen.queryByRole('combobox', { name: 'Côté du code' })).toBeNull()
    await choose('Étiquette', 'Code-barres et cote')
    await last({ kind: 'both', code: 'code_128', show: 'title,call_number,library' })
    expect(await screen.findByText('4 étiquettes, 1 feuille')).toBeVisible()
    // Pairs begin at the next row, whose third place stays empty.
    write(/^Première étiquette/, '18')
    expect(await screen.findByText('4 étiquettes, 2 feuilles')).toBeVisible()
    await page.router.navigate('/bar_codes')
    await screen.findByRole('heading', { name: 'Codes-barres', level: 1 })
    await page.router.navigate('/bar_codes/print?ids=1')
    expect(await screen.findByRole('combobox', { name: 'Étiquette' })).toHaveValue('Code-barres et cote')
    expect(screen.getByRole('combobox', { name: 'Code sur la cote' })).toHaveValue('Code 128 le long du dos')
  })

  it('says before it prints that a code has no room on a spine label', async () => {
    localStorage.setItem(
      'comptoir.labels',
      JSON.stringify({ sheet: 'L7651', kind: 'spine', code: 'code_128' }),
    )
    await sql`update copies set bar_code = 'BIB-000123' where bar_code = '1001'`.execute(server.db)
    await openApp(server, '/bar_codes/print?ids=1')
    expect(
      await screen.findByText(/^Le code-barres BIB-000123 .* est trop long en Code 128, le long du dos/),
    ).toBeVisible()
    expect(await button('Imprimer')).toBeDisabled()
    await sql`update copies set bar_code = '1001' where bar_code = 'BIB-000123'`.execute(server.db)
  })

  it('shows what awaits a label, and asks once it was printed, which can be taken back', async () => {
    const admin = await server.as('admin')
    await admin.post('/api/copies', { reference: 5, site: 1 })
    await openApp(server, '/bar_codes')
    await userEvent.click(await screen.findByRole('link', { name: /^À étiqueter/ }))
    await waitFor(() => expect(titles()).toEqual(['Livre numéro 5']))
    expect(document.querySelector('td[data-title="À étiqueter"]')).toHaveTextContent(/^1$/)
    await userEvent.click(screen.getByRole('link', { name: 'Imprimer tout' }))
    await screen.findByText('1 étiquette, 1 feuille')
    expect(screen.queryByText(/sont-elles bien imprimées/)).toBeNull()
    await waitFor(async () => expect(await button('Télécharger')).toBeEnabled())
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await userEvent.click(await button('Télécharger'))
    expect(saved).toHaveBeenCalledOnce()
    saved.mockRestore()
    expect(await screen.findByText(/^Les étiquettes sont-elles bien imprimées\s\?$/)).toBeVisible()
    // Before what is chosen, where the page begins.
    const question = screen.getByText(/^Les étiquettes sont-elles/)
    const options = screen.getByRole('combobox', { name: 'Planche ou rouleau' })
    expect(question.compareDocumentPosition(options)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await userEvent.click(await button('Oui, ne plus les attendre'))
    expect(await screen.findByText('1 exemplaire n’attend plus d’étiquette.')).toBeVisible()
    const left = async () => (await sql`select from label_basket`.execute(server.db)).rows.length
    expect(await left()).toBe(0)
    await userEvent.click(await button('Annuler'))
    await screen.findByText('Les étiquettes sont de nouveau attendues.')
    expect(await left()).toBe(1)
  })

  it('keeps a range for a site, the same however often its page is loaded', async () => {
    const admin = await server.as('admin')
    await admin.put('/api/sites/1', { bar_codes_configuration: { siteCode: 'P-', firstValue: '0001' } })
    const page = await openApp(server, '/bar_codes/print?type=next')
    expect(await screen.findByText(/^Premier code\s: P-0001$/)).toBeVisible()
    write(/^Combien de codes/, '30')
    await userEvent.click(await button('Retenir ces codes'))
    expect(await screen.findByText('30 étiquettes, 2 feuilles')).toBeVisible()
    await waitFor(async () => expect(await button('Imprimer')).toBeEnabled())
    const { address } = page
    expect(address).toMatch(/^\/bar_codes\/print\?type=next&site=1&count=30&key=[0-9a-f-]{36}$/)
    await page.router.navigate('/bar_codes/print?type=next')
    expect(await screen.findByText(/^30 codes, Centre, le /)).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'Imprimer de nouveau' }))
    await waitFor(async () => expect(await button('Imprimer')).toBeEnabled())
    await waitFor(() => expect(page.address).toBe(address))
    await closeApp()
    await openApp(server, address)
    await waitFor(async () => expect(await button('Imprimer')).toBeEnabled())
    expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('P-0031')
  })

  it('leads back from a range to the list, not to the form that would keep other codes', async () => {
    const page = await openApp(server, '/bar_codes')
    await userEvent.click(await screen.findByRole('link', { name: 'Imprimer une plage' }))
    await screen.findByText(/^Premier code/)
    await userEvent.click(await button('Retenir ces codes'))
    expect(await screen.findByText('21 étiquettes, 1 feuille')).toBeVisible()
    await page.router.navigate(-1)
    expect(await screen.findByRole('heading', { name: 'Codes-barres', level: 1 })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/bar_codes'))
  })

  it('says why nothing can be printed, and is closed to whoever may not', async () => {
    const page = await openApp(server, '/bar_codes?wanted%7Ceq=1')
    expect(
      await screen.findByText(/^Aucune étiquette n’est attendue\. Un exemplaire vient ici quand/),
    ).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Effacer les filtres' })).toBeNull()
    await page.router.navigate('/bar_codes/print?searchname%7Clike=introuvable')
    expect(await screen.findByText('Aucun exemplaire n’est à étiqueter ici.')).toBeVisible()
    await sql`update copies set bar_code = 'Été' where bar_code = '1001'`.execute(server.db)
    await page.router.navigate('/bar_codes/print?ids=1')
    expect(await screen.findByText(/^Le code-barres Été .* ne peut pas s’écrire en Code 128/)).toBeVisible()
    await sql`update copies set bar_code = '1001' where bar_code = 'Été'`.execute(server.db)
    await closeApp()
    await openApp(server, '/bar_codes', { as: 'lecture' })
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
  })

  it('leads to the list where there are too many labels, for trying again would change nothing', async () => {
    await sql`insert into copies (reference, bar_code, site)
      select 1, 'TROP-' || n, 1 from generate_series(1, 100) n`.execute(server.db)
    const page = await openApp(server, '/bar_codes/print?searchname%7Clike=num%C3%A9ro%201')
    await screen.findByText('102 étiquettes, 5 feuilles')
    write(/^De chacune/, '20')
    expect(await screen.findByText(/^2\s000 étiquettes au plus à la fois/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Réessayer' })).toBeNull()
    await waitFor(async () => {
      await userEvent.click(screen.getByRole('link', { name: 'Filtrer ou cocher dans la liste' }))
      expect(page.address).toBe('/bar_codes?searchname%7Clike=num%C3%A9ro%201')
    })
  })

  it('knows sheets and printers that people measured themselves', async () => {
    const page = await openApp(server, '/settings/label_sheets')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Ajouter une planche' }))[0]!)
    const dialog = within(await screen.findByRole('dialog', { name: 'Ajouter une planche' }))
    const fill = (name: RegExp, value: string) =>
      fireEvent.change(dialog.getByLabelText(name), { target: { value } })
    fill(/^Nom/, 'Maison')
    await userEvent.click(dialog.getByRole('combobox', { name: /^Imprimée sur/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Feuille A4' }))
    fill(/^Largeur/, '63,5')
    fill(/^Hauteur/, '38.1')
    fill(/^Colonnes/, '4')
    fill(/^Lignes/, '7')
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent(/sortent de la feuille A4/))
    fill(/^Colonnes/, '3')
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByRole('row', { name: /^Maison Feuille A4 63,5 × 38,1 mm 21/ })).toBeVisible()
    await page.router.navigate('/bar_codes/print?ids=1')
    await userEvent.click(await screen.findByRole('combobox', { name: 'Planche ou rouleau' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Maison' }))
    await waitFor(async () => expect(await button('Imprimer')).toBeEnabled())
  })
})
