export const addressOf = (path: string, search: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]))}`

/** A reader's own page; `part` is one of its tabs. */
export const addressOfReader = (id: number, part?: string): string =>
  part === undefined ? `/beneficiaries/view/${id}` : addressOf(`/beneficiaries/view/${id}`, { part })
