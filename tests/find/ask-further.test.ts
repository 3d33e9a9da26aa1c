// @vitest-environment happy-dom
import { expect, it } from 'vitest'

import { soldWords } from '../../src/client/find/ask-further.ts'

it('a sold copy is said with what to do first, to whom, and how to undo what was sold today', () => {
  expect(soldWords('2026-03-02', 'Alice Martin (M1)', '2026-03-10')).toBe(
    'Laissez-le à qui l’apporte\u202f: vendu à Alice Martin le 02/03/2026.',
  )
  expect(soldWords('2026-03-10', null, '2026-03-10')).toBe(
    'Laissez-le à qui l’apporte\u202f: vendu le 10/03/2026. Par erreur\u202f? Supprimez la vente.',
  )
})
