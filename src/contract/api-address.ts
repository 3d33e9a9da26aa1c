/** Another host for the API, chosen at build time; empty when one origin serves both. */
const apiBase = (): string => (import.meta.env?.VITE_API_BASE ?? '').replace(/\/+$/, '')

export const apiAddress = (path: string): string => apiBase() + path

/** Null when the API is on the page's own origin. */
export const apiOrigin = (): string | null => (URL.canParse(apiBase()) ? new URL(apiBase()).origin : null)
