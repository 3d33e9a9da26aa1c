/** What DATA_DIR says; a demonstration has its own unless told. */
export const dataDirectoryOf = (env: NodeJS.ProcessEnv, isDemonstration = false): string =>
  env['DATA_DIR']?.trim() || (isDemonstration ? './data/demonstration' : './data')
