// Put in by the build, from package.json.
declare const __APP_VERSION__: string | undefined

/** The version of this page, as told to people. */
export const appVersion: string = typeof __APP_VERSION__ === 'string' ? __APP_VERSION__ : 'de développement'
