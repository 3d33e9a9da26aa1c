import { useMediaQuery } from '@mantine/hooks'

export const useIsPhone = (): boolean => useMediaQuery('(max-width: 767px)', window.innerWidth < 768)

export const useIsDesktop = (): boolean => useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)

/** Whether the column of boxes leaves a title its room. */
export const useHasRoomToTick = (): boolean => useMediaQuery('(min-width: 820px)', window.innerWidth >= 820)
