// The first that fits wins: Edge and Samsung call themselves Chrome, and Chrome calls itself Safari.
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* .*Safari/],
]

const systems: [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iPad', /iPad/],
  ['iPhone', /iPhone/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** « Chrome 131, Android ». An iPad calls itself a Mac, but has touch points. */
export function browserName(userAgent: string, touchPoints: number): string {
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))
  const version = browser?.[1].exec(userAgent)?.[1]
  const system = /Macintosh/.test(userAgent)
    ? touchPoints > 1
      ? 'iPad'
      : 'Mac'
    : systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return [browser && `${browser[0]} ${version}`, system].filter(Boolean).join(', ')
}
