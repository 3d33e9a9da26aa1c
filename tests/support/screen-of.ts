import { vi } from 'vitest'

/** A screen so many pixels wide, until `vi.unstubAllGlobals()`. */
export function screenOf(width: number): void {
  vi.stubGlobal('innerWidth', width)
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: [...media.matchAll(/(min|max)-width: (\d+)px/g)].every(([, way, limit]) =>
      way === 'min' ? width >= Number(limit) : width <= Number(limit),
    ),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
}
