import { describe } from 'vitest'

import { presetCodes } from '../../src/domain/presets/presets.ts'
import { comesToFirstLoan } from '../support/first-loan.ts'

const others = presetCodes.filter((code) => code !== 'mediatheque')

describe.each(others)('an empty install, from the preset %s', (code) => {
  comesToFirstLoan(code)
})
