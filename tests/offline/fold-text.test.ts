import { expect, it } from 'vitest'

import { wordsOf } from '../../src/offline/fold-text.ts'

it.each<[string, string[]]>([
  ['Éric D’Ornano-Lévy', ['eric', 'd', 'ornano', 'levy']],
  ['  Martin,  MARTIN  martin ', ['martin']],
  ['Cœur Æsop Ægir', ['coeur', 'aesop', 'aegir']],
  ['ŒUVRE et œuvre', ['oeuvre', 'et']],
  ['Çelik Ñoño', ['celik', 'nono']],
  ['M-42/b', ['m', '42', 'b']],
  ['王 小明', ['王', '小明']],
  [' - ', []],
  ['', []],
])('wordsOf finds in « %s » %o', (text, words) => expect(wordsOf(text)).toEqual(words))
