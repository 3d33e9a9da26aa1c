import { describe, expect, it } from 'vitest'

import { remindersQuestion } from '../../src/domain/sentences/mail.ts'

describe('remindersQuestion', () => {
  it.each([
    [1, '1 email(s) sera envoyé. Voulez vous continuer ?'],
    [2, '2 email(s) seront envoyés. Voulez vous continuer ?'],
  ])('of %i', (count, question) => {
    expect(remindersQuestion(count)).toBe(question)
  })
})
