import { describe, expect, it } from 'vitest'

import { browserName } from '../../src/client/session/browser-name.ts'

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('browserName', () => {
  it.each([
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      5,
      'Chrome 131, Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Safari/537.36',
      5,
      'Samsung Internet 23, Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      0,
      'Edge 131, Windows',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.5 Safari/605.1.15`,
      5,
      'Safari 17, iPad',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.5 Safari/605.1.15`,
      0,
      'Safari 17, Mac',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} CriOS/131.0.0.0 Mobile/15E148 Safari/604.1`,
      5,
      'Chrome 131, iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 0, 'Firefox 133, Linux'],
    ['', 0, ''],
  ])('names %s', (agent, fingers, name) => {
    expect(browserName(agent, fingers)).toBe(name)
  })
})
