import { useFlagParameter } from './parameter-data.ts'

/** Whether the library has several sites: names of sites are shown only then (file 2, « Top bar »). */
export const useIsMultisite = (): boolean => useFlagParameter('multisite') ?? false
