declare const __APP_VERSION__: string | undefined
declare const __APP_VERSION_DAY__: string | undefined

export const appVersion: string = typeof __APP_VERSION__ === 'string' ? __APP_VERSION__ : 'de développement'
/** « 28 novembre 2026 », as CHANGELOG.md has it; empty where it is not known. */
export const appVersionDay: string = typeof __APP_VERSION_DAY__ === 'string' ? __APP_VERSION_DAY__ : ''
