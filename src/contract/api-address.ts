/** Another host for the API, chosen when the application is built; empty where one origin serves both. */
const apiBase = (): string => (import.meta.env?.VITE_API_BASE ?? '').replace(/\/+$/, '')

/** Where a call of the API is asked; `path` begins with a slash. */
export const apiAddress = (path: string): string => apiBase() + path

/** The origin of the API where it is not the page's own, else null. */
export const apiOrigin = (): string | null => (URL.canParse(apiBase()) ? new URL(apiBase()).origin : null)
