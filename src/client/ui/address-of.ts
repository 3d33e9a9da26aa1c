export const addressOf = (path: string, search: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]))}`
