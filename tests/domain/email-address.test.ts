import { describe, expect, it } from 'vitest'

import { isEmailAddress } from '../../src/domain/email-address.ts'

describe('an e-mail address', () => {
  it.each(['a@example.org', 'D@EXAMPLE.ORG', "o'neil+pret@sous.domaine-1.fr", 'a.b@x.museum'])(
    'is %s',
    (text) => expect(isEmailAddress(text)).toBe(true),
  )

  it.each([
    '',
    'néant',
    'f@example',
    'h@example.org.',
    'G <g@example.org>',
    'é@exämple.org',
    'b@x.fr; c@x.fr',
    'a@-x.fr',
    'a b@x.fr',
  ])('is not « %s »', (text) => expect(isEmailAddress(text)).toBe(false))
})
