import { describe } from 'vitest'

import { comesToFirstLoan } from '../support/first-loan.ts'

// The other presets: tests/walks/first-loan-of-others.

describe('an empty install, from the preset mediatheque', () => {
  comesToFirstLoan('mediatheque')
})
