import { useFlagParameter } from './parameter-data.ts'

/** Site names are shown only with several sites (file 2, « Top bar »). */
export const useIsMultisite = (): boolean => useFlagParameter('multisite') ?? false
